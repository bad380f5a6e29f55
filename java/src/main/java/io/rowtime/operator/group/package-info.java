/**
 * GROUP BY on streams, where each group is complete at some time: {@link io.rowtime.operator.group.GroupStage} by keys
 * that tell when, {@link io.rowtime.operator.group.HopStage} by hopping windows, {@link
 * io.rowtime.operator.group.SessionStage} by sessions.
 *
 * <p>Before the shuffle, the rows of a task that belong to one group are combined ({@link
 * io.rowtime.operator.group.PartialAggregate}).
 */
package io.rowtime.operator.group;
