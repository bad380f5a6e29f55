/**
 * OVER on streams: analytic functions over frames that slide.
 *
 * <p>The way of a row: {@link io.rowtime.operator.over.OverOperator}, {@link io.rowtime.state.OperatorProcessor}, {@link
 * io.rowtime.operator.StagePipeline}, {@link io.rowtime.state.ReorderBuffer} (order, and what has to wait), then the stages
 * that its windows need, as {@link io.rowtime.operator.over.FramePlan} and {@link io.rowtime.operator.over.OverStages} say:
 * <ul>
 * <li>{@link io.rowtime.operator.over.TimeStage}: RANGE frames over time, one log for all partition values;
 * <li>{@link io.rowtime.operator.over.RowStage}: ROWS frames, LAG, LEAD and ranks, a record for each partition value;
 * <li>{@link io.rowtime.operator.over.WholeStage}: everything else, over partitions that are complete.
 * </ul>
 *
 * <p>A batch writes what came and reads what left, never what is held. Everything in memory can be made again from the
 * state; that it is kept from batch to batch only saves reading ({@link io.rowtime.state.TaskCache}). No result depends on
 * how rows are cut into batches, or on where a restart begins: sums are exact, of floating-point numbers too.
 */
package io.rowtime.operator.over;
