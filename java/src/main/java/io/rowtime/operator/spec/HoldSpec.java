package io.rowtime.operator.spec;

/**
 * What Hold is told.
 *
 * @param release column with the time, a TIMESTAMP, when a row may pass; rows where it is NULL pass at once
 */
public record HoldSpec(String release) implements OperatorSpec {}
