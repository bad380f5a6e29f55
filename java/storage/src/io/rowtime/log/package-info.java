/**
 * Reads rowtime's own Delta logs in Spark without the Delta reader: rowtime writes these logs itself and knows the
 * files of each version. {@code LogFiles} reads a snapshot as a relation, {@code LogSource} reads the commits as a
 * stream.
 */
package io.rowtime.log;
