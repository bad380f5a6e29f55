package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputBatch;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The rows of partitions that are complete, with their ranks. */
final class RankedOutput {
  private final RankedRows rows;
  private final List<RankFunction> functions;
  private final Rows out;
  private final UnsafeRow row;
  /** By function, the ranks of the rows of {@code out}. */
  private final long[][] ranks;

  /** @param fields the number of columns of the rows */
  RankedOutput(RankedRows rows, int fields, List<RankFunction> functions) {
    this.rows = rows;
    this.functions = functions;
    out = new Rows(fields);
    row = new UnsafeRow(fields);
    ranks = new long[functions.size()][64];
  }

  /** Adds the rows of a slot. */
  void add(int slot) {
    long rank = 0;
    long dense = 0;
    for (int place = 0; place < rows.count(slot); place++) {
      if (!rows.isPeerOfPrevious(slot, place)) {
        rank = place + 1L;
        dense++;
      }
      int number = rows.row(slot, place);
      int at = out.add(rows.get(number, row), rows.time(number), rows.seq(number));
      for (int i = 0; i < ranks.length; i++) {
        if (at == ranks[i].length) {
          ranks[i] = Arrays.copyOf(ranks[i], at * 2);
        }
        ranks[i][at] = switch (functions.get(i)) {
          case ROW_NUMBER -> place + 1L;
          case RANK -> rank;
          case DENSE_RANK -> dense;
        };
      }
    }
  }

  /** Returns all rows, in order of (time, seq). */
  OutputBatch emit() {
    int[] order = out.order();
    Values[] results = new Values[ranks.length];
    for (int i = 0; i < results.length; i++) {
      results[i] = new Values(RankedRows.BIGINT, order.length);
      for (int n = 0; n < order.length; n++) {
        results[i].setLong(n, ranks[i][order[n]]);
      }
    }
    return new OutputBatch(out, order, order.length, results);
  }
}
