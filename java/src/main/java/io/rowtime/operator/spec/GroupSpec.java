package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of a GROUP BY whose keys tell when a group is complete.
 *
 * @param partition the keys that rows are shuffled by, some of {@code keys}
 * @param keys the columns that rows are grouped by
 * @param closes column with the time, in the watermark's domain, when the row's group is complete
 * @param watermark column with a row's time in the domain of the query's watermark; null if rows prove nothing
 * @param maxDisorder a row with value v in the watermark column proves that no row of a later batch is below
 *     v − maxDisorder; null if rows prove nothing
 * @param early whether a group may come out as soon as the rows of its own task prove that it is complete, though groups of
 *     other tasks that are complete before it may come out in a later batch
 * @param combine the calls by which rows that are alike otherwise are combined before they are shuffled, each of its only
 *     argument, which it takes the place of; a COUNT looks at none. Of what DISTINCT calls look at, each value is sent once then.
 *     Empty where rows are not combined
 */
public record GroupSpec(List<String> partition, List<String> keys, String closes, @Nullable String watermark,
    @Nullable Long maxDisorder, boolean early, List<Call> calls, List<Call> combine) implements GroupingSpec {}
