package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a GROUP BY whose keys determine when a group is complete.
 *
 * @param partition the keys that rows are shuffled by, a subset of {@code keys}
 * @param keys the columns that rows are grouped by
 * @param closes the column with the time, in the watermark's domain, at which the row's group is complete
 * @param watermark the column with a row's time in the domain of the query's watermark; null if rows prove nothing
 * @param maxDisorder a row with value v in the watermark column proves that no row of a later batch is below v −
 *     maxDisorder; null if rows prove nothing
 * @param early whether a group may be emitted as soon as the rows of its own task prove that it is complete, even if
 *     groups of other tasks that are complete earlier are emitted in a later batch
 * @param combine the calls that combine rows, equal in all other columns, before the shuffle. Each replaces its only
 *     argument by its result; a COUNT reads no argument. For DISTINCT calls, each value is then sent once. Empty if
 *     rows are not combined
 */
public record GroupSpec(List<String> partition, List<String> keys, String closes, @Nullable String watermark,
    @Nullable Long maxDisorder, boolean early, List<Call> calls, List<Call> combine) implements GroupingSpec {}
