package io.rowtime.plan.node;

import java.util.List;

/**
 * A call of an aggregate function.
 *
 * @param args columns of the input
 * @param ofSet whether DISTINCT values are collected in a set first
 * @param filter the column that is true for the rows that count; null if all do
 * @param name the name of its column
 * @param order the order of WITHIN GROUP
 * @param mergedBy the function that merges the results of panes; null if there are no panes
 */
public record GroupCall(String function, List<Integer> args, boolean distinct, boolean ofSet, Integer filter, String type, boolean nullable,
    String name, List<SortKey> order, String mergedBy) {}
