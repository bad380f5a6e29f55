/** Limits on the size, depth and length of input; the same numbers as in {@code rowtime/limits.py}. */
package io.rowtime.limits;
