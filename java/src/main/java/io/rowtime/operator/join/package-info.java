/**
 * Joins of two streams within intervals of time, and of a stream with versions.
 *
 * <p>The way of a row: {@link io.rowtime.operator.join.IntervalJoinOperators} (the door), {@link
 * io.rowtime.operator.join.PackedInputs} (both inputs become one, each row packed into a BINARY value), the shuffle by key, {@link io.rowtime.operator.join.IntervalJoinOperator},
 * {@link io.rowtime.operator.join.JoinInput} (its own clock, and order), {@link io.rowtime.operator.join.JoinRows} (the rows of
 * an input, found by key) with {@link io.rowtime.operator.join.JoinLog} (the same in state), {@link io.rowtime.operator.join.Pairs}.
 * Where equal rows of an input count once, {@link io.rowtime.operator.join.FirstInTask} drops most of them before the shuffle, and {@link
 * io.rowtime.operator.join.DistinctRows} the others.
 *
 * <p>With versions: {@link io.rowtime.operator.join.TemporalJoinOperator}, whose inputs are the same, and {@link
 * io.rowtime.operator.join.Versions}.
 */
package io.rowtime.operator.join;
