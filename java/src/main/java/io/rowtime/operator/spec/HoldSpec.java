package io.rowtime.operator.spec;

/**
 * The parameters of Hold.
 *
 * @param release column with the time, a TIMESTAMP, when a row may pass; rows where it is NULL pass at once
 */
public record HoldSpec(String release) implements OperatorSpec {}
