package io.rowtime.operator.spec;

/**
 * The parameters of WITH RECURSIVE.
 *
 * @param recursion its number, unlike that of others in the plan
 * @param all whether rows come again that were there before
 * @param most how often the query gives rows; -1 for no limit
 */
public record RecursionSpec(int recursion, boolean all, int most) implements OperatorSpec {}
