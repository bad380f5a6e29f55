package io.rowtime.operator.spec;

/**
 * The parameters of the Hold operator.
 *
 * @param release the column with the time (TIMESTAMP) at which a row may pass; rows with NULL pass at once
 * @param named whether the rows are saved with the names of their columns: a query that goes on from them may have other columns
 */
public record HoldSpec(String release, boolean named) implements OperatorSpec {}
