/** Tables of databases: what their columns are, and rows written to them in one transaction. Reading them is Spark's. */
package io.rowtime.jdbc;
