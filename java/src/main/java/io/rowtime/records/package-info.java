/**
 * Text records of foreign streams and tables: lines of JSON or CSV become typed rows of Spark, and what cannot is set
 * aside with the reason, so that a query goes on.
 */
package io.rowtime.records;
