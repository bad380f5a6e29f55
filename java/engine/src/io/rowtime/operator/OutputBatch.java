package io.rowtime.operator;

import io.rowtime.state.Rows;
import io.rowtime.state.values.Values;

/**
 * Output rows, with the results of the calls.
 *
 * @param which the numbers of the rows, in output order
 * @param count how many entries of {@code which} are used
 * @param results one column per call: its value n belongs to the row {@code which[n]}
 */
public record OutputBatch(Rows rows, int[] which, int count, Values[] results) {}
