package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of OVER whose values change. Whenever rows of a partition come or go, rows whose values that changes are retracted, and
 * added with the new values.
 *
 * @param columns the columns of a row, with the arguments of calls
 * @param order the order of the rows of a partition, which is that of each window that has one; peers are ordered by {@code time}, then
 *     by all columns
 * @param time the column with the ROWTIME of a row, a TIMESTAMP; null if there is none
 * @param change as in {@link UpdatingGroupSpec}
 */
public record UpdatingOverSpec(List<String> columns, List<String> partition, List<Order> order, @Nullable String time, @Nullable String change,
    List<Window> windows) implements OperatorSpec {}
