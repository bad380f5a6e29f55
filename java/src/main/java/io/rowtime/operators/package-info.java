/**
 * Stateful operators for Spark's {@code transformWithState}, over rows in Spark's own binary form.
 *
 * <p>They run in {@code TimeMode.EventTime} and without an event-time column: each reads the query's watermark and maps
 * rows to it by a column of its input, so that two of them may follow one another. Compiled against Spark, which is on
 * the class path where they run, and not bundled with it.
 */
package io.rowtime.operators;
