/**
 * Top-N of partitions that are complete at some time: {@link io.rowtime.operator.rank.TopNStage} keeps only the rows
 * that can still be among the first of their partition. Before the shuffle, each task sends only such rows ({@link
 * io.rowtime.operator.rank.PartialTopN}).
 */
package io.rowtime.operator.rank;
