/**
 * The runtime of streaming operators with state: the interface of an operator ({@link io.rowtime.state.TaskOperator}),
 * how Spark runs one ({@link io.rowtime.state.OperatorProcessor}, {@link io.rowtime.state.StatefulOperators}), and the
 * structures in which operators keep rows.
 *
 * <p>Rows reach an operator in blocks ({@link io.rowtime.exchange.RowBlocks}).
 *
 * <p>All state of an operator is in one map ({@link io.rowtime.state.SparkStates}), and its memory survives from batch
 * to batch ({@link io.rowtime.state.TaskCache}). Rows that wait are in {@link io.rowtime.state.HeldRows}, {@link
 * io.rowtime.state.DelayedRows} and {@link io.rowtime.operator.ReorderBuffer}; rows that are read again are in a {@link
 * io.rowtime.state.RowLog} with {@link io.rowtime.state.Cursor}s. Operators run in {@code TimeMode.EventTime} and
 * without an event-time column: each reads the query's watermark, and maps rows to it by a column of its input, so that
 * one operator can follow another.
 */
package io.rowtime.state;
