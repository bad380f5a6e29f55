package io.rowtime.operator.spec;

/**
 * The parameters of WITH RECURSIVE.
 *
 * @param recursion the number of the recursion, unique in the plan
 * @param all whether duplicates of earlier rows are kept
 * @param most the maximum number of steps that return rows; -1 for no limit
 */
public record RecursionSpec(int recursion, boolean all, int most) implements OperatorSpec {}
