/**
 * Calls from Spark's JVM to the Python process: over a socket that no other user can open, with a token.
 */
package io.rowtime.callbacks;
