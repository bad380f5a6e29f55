/**
 * Joins of two streams within time intervals, of a stream with versions, and of results that change.
 *
 * <p>A row passes through: {@link io.rowtime.operator.join.IntervalJoinOperators} (the entry point), {@link
 * io.rowtime.operator.join.PackedInputs} (both inputs become one) with {@link io.rowtime.operator.join.PackedRows}
 * (each row is packed into a BINARY value, in the block of its partition), the shuffle by key, {@link
 * io.rowtime.operator.join.IntervalJoinOperator}, {@link io.rowtime.operator.join.JoinInput} (its own clock, and
 * order), {@link io.rowtime.operator.join.JoinRows} (the rows of an input, by key) with {@link
 * io.rowtime.operator.join.JoinLog} (the same rows in state), {@link io.rowtime.operator.join.Pairs} with {@link
 * io.rowtime.operator.join.RowJoiner} (the output rows). If duplicates of an input count once, {@link
 * io.rowtime.operator.join.SeenRows} drops most of them before the shuffle, and {@link
 * io.rowtime.operator.join.DistinctRows} the others.
 *
 * <p>For versions: {@link io.rowtime.operator.join.TemporalJoinOperator}, which has the same kind of inputs, and {@link
 * io.rowtime.operator.join.LatestVersions}.
 *
 * <p>For results that change: {@link io.rowtime.operator.join.UpdatingJoinOperator}, {@link io.rowtime.operator.join.RowBuckets} (the
 * rows of an input, by key, in state), {@link io.rowtime.operator.join.ChangedPairs}; {@link io.rowtime.operator.join.AddedRowsJoinOperator} for
 * inner joins of rows that are only added; {@link io.rowtime.operator.join.EndingRows} and {@link io.rowtime.operator.join.EndTimers}
 * drop rows that have had their last match.
 */
package io.rowtime.operator.join;
