/** Spark's catalog of a warehouse, for programs in plain Spark: the tables behind it are those of the Python data source. */
package io.rowtime.datasource;
