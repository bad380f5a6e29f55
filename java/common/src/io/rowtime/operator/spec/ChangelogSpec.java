package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of TO_CHANGELOG over rows that are added and retracted. Rows of a micro-batch that are equal in the key are
 * reduced to what they change in all: nothing, a row that is inserted, deleted, or replaced.
 *
 * @param columns the columns of the rows
 * @param change the column with how often a row is added (above 0) or retracted (below 0), a BIGINT
 * @param key the columns of a unique key; null if there is none, and each row is inserted or deleted as a whole
 * @param placed whether rows that are equal in the key are in one partition already
 * @param upserts whether a row that is replaced is left out, because the key says which one it is
 * @param renews whether a key can begin anew: a row of it is then added though the earlier one has not been retracted. Rows that are
 *     equal in the key are in one partition, in the order of what happens to them
 */
public record ChangelogSpec(List<String> columns, String change, @Nullable List<String> key, boolean placed, boolean upserts,
    boolean renews) implements OperatorSpec {}
