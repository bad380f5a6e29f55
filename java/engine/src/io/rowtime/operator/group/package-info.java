/**
 * GROUP BY on streams, for groups that are complete at some time: {@link io.rowtime.operator.group.GroupStage} for keys
 * that determine that time, {@link io.rowtime.operator.group.HopStage} for hopping windows, {@link
 * io.rowtime.operator.group.SessionStage} for sessions.
 *
 * <p>Before the shuffle, each task combines its rows of a group ({@link io.rowtime.operator.group.PartialAggregate}).
 */
package io.rowtime.operator.group;
