package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The first rows of a partition at some time, with their ranks, and how often each is there. */
final class FirstRows implements SortedPartitions.Reader {
  /** A row with its ranks. */
  record Ranked(ByteBuffer row, List<Long> ranks) {}

  private final RankOrder order;
  private final int keys;
  private final RankFunction function;
  private final int limit;
  private final List<RankFunction> ranks;
  private final Map<Ranked, Long> rows = new LinkedHashMap<>();
  private long count;
  private long rank;
  private long dense;
  private byte[] last;
  private int different;
  private boolean isCut;

  /** @param keys the number of keys of ORDER BY */
  FirstRows(RankOrder order, int keys, RankFunction function, int limit, List<RankFunction> ranks) {
    this.order = order;
    this.keys = keys;
    this.function = function;
    this.limit = limit;
    this.ranks = ranks;
  }

  Map<Ranked, Long> rows() {
    return rows;
  }

  /** Returns how many different rows there are. */
  int different() {
    return different;
  }

  /** Returns whether there are rows after the first ones. */
  boolean isCut() {
    return isCut;
  }

  /** Returns whether another row would be none of the first ones. */
  boolean excludes(byte[] row) {
    return limit == 0 || (function == RankFunction.DENSE_RANK ? dense : count) >= limit
        && (function == RankFunction.ROW_NUMBER ? order.compare(row, last) >= 0 : order.compare(row, last, keys) > 0);
  }

  @Override public boolean read(byte[] row, long times) {
    if (times < 0) {
      throw new IllegalStateException("A row is retracted that was not there");
    }
    if (last == null || order.compare(last, row, keys) != 0) {
      rank = count + 1;
      dense++;
    }
    long position = function == RankFunction.ROW_NUMBER ? count + 1 : function == RankFunction.RANK ? rank : dense;
    if (position > limit) {
      isCut = true;
      dense--;
      return false;
    }
    long taken = function == RankFunction.ROW_NUMBER ? Math.min(times, limit - count) : times;
    add(row, taken);
    last = row;
    count += taken;
    different++;
    return true;
  }

  private void add(byte[] row, long times) {
    ByteBuffer content = ByteBuffer.wrap(row);
    if (!ranks.contains(RankFunction.ROW_NUMBER)) {
      rows.merge(new Ranked(content, ranks(0)), times, Long::sum);
      return;
    }
    for (long i = 1; i <= times; i++) {
      rows.put(new Ranked(content, ranks(count + i)), 1L);
    }
  }

  private List<Long> ranks(long number) {
    return ranks.stream().map(each -> switch (each) {
      case ROW_NUMBER -> number;
      case RANK -> rank;
      case DENSE_RANK -> dense;
    }).toList();
  }
}
