/**
 * Runs sources and targets that users write in Java, see {@link io.rowtime.api.Adapter}: as a Spark data source, and as
 * functions for Python to call. A bound is a row in which only the column {@code _bound} has a value.
 */
package io.rowtime.adapter;
