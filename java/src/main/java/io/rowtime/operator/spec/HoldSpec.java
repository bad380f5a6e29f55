package io.rowtime.operator.spec;

/**
 * The parameters of the Hold operator.
 *
 * @param release the column with the time (TIMESTAMP) at which a row may pass; rows with NULL pass at once
 */
public record HoldSpec(String release) implements OperatorSpec {}
