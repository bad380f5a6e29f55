package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a GROUP BY whose keys determine when a group is complete.
 *
 * @param partition the keys that rows are shuffled by, a subset of {@code keys}
 * @param keys the columns that rows are grouped by
 * @param closes the column with the time, in the watermark's domain, at which the row's group is complete
 * @param time the column with a row's ROWTIME; null if rows prove nothing
 * @param clock the function from the query's watermark to the bound of {@code time}
 * @param combine the calls that combine rows, equal in all other columns, before the shuffle. Each replaces its only
 *     argument by its result; a COUNT reads no argument. For DISTINCT calls, each value is then sent once. Empty if
 *     rows are not combined
 */
public record GroupSpec(List<String> partition, List<String> keys, String closes, @Nullable String time, List<BoundClock.ClockStep> clock,
    Arrivals arrivals, List<Call> calls, List<Call> combine) implements GroupingSpec {}
