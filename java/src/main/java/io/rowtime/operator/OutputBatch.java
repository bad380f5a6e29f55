package io.rowtime.operator;

import io.rowtime.state.Rows;
import io.rowtime.state.values.Values;

/**
 * Rows that come out, with what the calls give for them.
 *
 * @param which numbers of the rows, in the order in which they come out
 * @param count how many of {@code which} count
 * @param results for each call a column: its value n is that of the row {@code which[n]}
 */
public record OutputBatch(Rows rows, int[] which, int count, Values[] results) {}
