/**
 * Reads rowtime's own Delta logs in Spark without the Delta reader: rowtime writes these logs itself and knows which
 * files a version has. {@code LogFiles} is a snapshot as a relation, {@code LogSource} the commits as a stream.
 */
package io.rowtime.log;
