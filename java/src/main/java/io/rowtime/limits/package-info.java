/** How large, deep and long input may be; the same numbers as in {@code rowtime/limits.py}. */
package io.rowtime.limits;
