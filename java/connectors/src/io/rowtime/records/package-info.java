/**
 * Converts records of foreign streams and tables (JSON, CSV or Avro) to typed rows of Spark. Invalid records are set
 * aside with the reason, so that a query continues.
 */
package io.rowtime.records;
