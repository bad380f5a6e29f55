/**
 * OVER on streams: analytic functions over sliding frames.
 *
 * <p>A row passes through {@link io.rowtime.operator.over.OverOperator}, {@link io.rowtime.state.OperatorProcessor},
 * {@link io.rowtime.operator.StagePipeline}, {@link io.rowtime.operator.ReorderBuffer} (which sorts rows, and holds those
 * that have to wait), then the stages that its windows need, which {@link io.rowtime.operator.over.FramePlan} and
 * {@link io.rowtime.operator.over.OverStages} choose:
 * <ul>
 * <li>{@link io.rowtime.operator.over.TimeStage}: RANGE frames over time, one log for all partition values;
 * <li>{@link io.rowtime.operator.over.RowStage}: ROWS frames, LAG, LEAD and ranks, a record for each partition value;
 * <li>{@link io.rowtime.operator.over.WholeStage}: everything else, over partitions that are complete.
 * </ul>
 *
 * <p>A batch writes the rows that arrived and reads those that left, never all rows that are kept. Everything in memory
 * can be rebuilt from the state; keeping it from batch to batch only saves reading ({@link
 * io.rowtime.state.TaskCache}). Results never depend on how rows are split into batches, or on where a restart
 * continues: sums are exact, for floating-point numbers too.
 */
package io.rowtime.operator.over;
