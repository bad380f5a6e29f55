/**
 * Records of foreign streams and tables, JSON, CSV or Avro, become typed rows of Spark, and what cannot is set aside with
 * the reason, so that a query goes on.
 */
package io.rowtime.records;
