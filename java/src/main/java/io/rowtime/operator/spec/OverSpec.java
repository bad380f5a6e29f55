package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of OVER: all windows over one PARTITION BY.
 *
 * @param time the column that orders rows, a TIMESTAMP
 * @param watermark the column with the same time in the domain of the query's watermark; null if only the rows show the
 *     progress of time
 * @param seq the column that orders rows of the same time, a BIGINT; null for arrival order
 * @param disordered whether rows arrive out of order
 * @param maxDisorder a row with value v in the watermark column proves that no row of a later batch is below v −
 *     maxDisorder; null if rows prove nothing
 * @param closes the column with the time, in the watermark's domain, at which the row's partition is complete; null if
 *     never
 */
public record OverSpec(List<String> partition, String time, @Nullable String watermark, @Nullable String seq, boolean disordered,
    @Nullable Long maxDisorder, @Nullable String closes, List<Window> windows) implements OperatorSpec {}
