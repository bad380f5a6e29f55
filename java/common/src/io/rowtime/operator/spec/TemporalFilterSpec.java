package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a WHERE with conditions on the current time: a row is added once the watermark has reached all of the times at which
 * it enters, and retracted once it has reached one of those at which it leaves. A row with NULL for one of the times is never there.
 *
 * @param columns the columns of a row
 * @param enters columns with times (TIMESTAMP), in the watermark's domain
 * @param leaves as {@code enters}
 * @param change as in {@link UpdatingGroupSpec}
 */
public record TemporalFilterSpec(List<String> columns, List<String> enters, List<String> leaves, @Nullable String change) implements OperatorSpec {}
