package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of OVER: all windows over one PARTITION BY.
 *
 * @param time column that orders rows, a TIMESTAMP
 * @param watermark column with the same time in the domain of the query's watermark; null if only rows tell how far time is
 * @param seq column that orders rows of one time, a BIGINT; null for the order of arrival
 * @param disordered whether rows come out of order
 * @param maxDisorder a row with value v in the watermark column proves that no row of a later batch is below
 *     v − maxDisorder; null if rows prove nothing
 * @param closes column with the time, in the watermark's domain, when the row's partition is complete; null if that is never
 */
public record OverSpec(List<String> partition, String time, @Nullable String watermark, @Nullable String seq, boolean disordered,
    @Nullable Long maxDisorder, @Nullable String closes, List<Window> windows) implements OperatorSpec {}
