/**
 * A warehouse as a schema of Calcite: its tables, views and streams with history are tables that Calcite's own JDBC driver
 * and {@code Frameworks} read, without Spark and without Python.
 *
 * <p>{@link io.rowtime.schema.WarehouseSchemaFactory} is what a Calcite model names. The catalog is read from its SQLite
 * file, rows are read from the Delta logs through Delta Kernel. Nothing here writes.
 */
package io.rowtime.schema;
