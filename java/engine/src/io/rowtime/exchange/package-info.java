/**
 * How rows get from the tasks that have them to the task that needs them: by their key, each partition of the shuffle with
 * exactly one ({@link io.rowtime.exchange.Partitions}, {@link io.rowtime.exchange.KeyedPartitions}).
 *
 * <p>Rows are sent in {@link io.rowtime.exchange.RowBlocks}, which a predicate in Spark's generated code ({@link
 * io.rowtime.exchange.RowBlockInput}) fills before the shuffle and {@link io.rowtime.exchange.BlockRows} reads after it. A
 * predicate that keeps fewer rows than it gets gives them out at the end of its task ({@link
 * io.rowtime.exchange.MapSideOutput}).
 */
package io.rowtime.exchange;
