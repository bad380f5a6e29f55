package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of FROM_CHANGELOG: the rows that changes have added and not retracted.
 *
 * @param columns the columns of a row
 * @param op the column with the kind of a change, as TO_CHANGELOG numbers them; rows with other numbers are no changes
 * @param key the columns by which a change replaces or deletes a row; null if a change is of the row that is equal in all columns
 * @param order the column by which the changes of a micro-batch are in order; null if they arrive in it. Without a key, the order
 *     does not matter.
 * @param change the column with how often a change is added (above 0) or retracted (below 0), a BIGINT; null if changes are only added,
 *     as they are with a key
 */
public record FromChangelogSpec(List<String> columns, String op, @Nullable List<String> key, @Nullable String order, @Nullable String change) implements OperatorSpec {}
