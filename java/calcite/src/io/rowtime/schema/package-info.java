/**
 * A warehouse as a Calcite schema: Calcite's own JDBC driver and {@code Frameworks} read its tables, views and streams
 * with history, without Spark and without Python.
 *
 * <p>A Calcite model names {@link io.rowtime.schema.WarehouseSchemaFactory}. The catalog is read from its SQLite file,
 * and rows from the Delta logs, with Delta Kernel. Nothing is written.
 */
package io.rowtime.schema;
