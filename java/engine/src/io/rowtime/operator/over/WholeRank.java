package io.rowtime.operator.over;

import io.rowtime.operator.spec.Call;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/** PERCENT_RANK, CUME_DIST and NTILE, which depend on the number of rows of a partition. */
final class WholeRank {
  private enum Kind { PERCENT_RANK, CUME_DIST, NTILE }

  interface Peers {
    boolean test(int left, int right);
  }

  private final Kind kind;
  private final int tiles;

  private WholeRank(Kind kind, int tiles) {
    this.kind = kind;
    this.tiles = tiles;
  }

  /** Returns null for other functions. */
  static WholeRank of(Call call) {
    return switch (call.function()) {
      case "PERCENT_RANK", "CUME_DIST" -> new WholeRank(Kind.valueOf(call.function()), 0);
      case "NTILE" -> new WholeRank(Kind.NTILE, Math.toIntExact(call.number()));
      default -> null;
    };
  }

  /** @param sorted the partition's rows in the window's order; results are written at the same positions */
  void evaluate(int[] sorted, Peers peers, Values results) {
    int count = sorted.length;
    for (int start = 0; start < count;) {
      int stop = start + 1;
      while (stop < count && peers.test(sorted[start], sorted[stop])) {
        stop++;
      }
      for (int i = start; i < stop; i++) {
        results.setLong(sorted[i], switch (kind) {
          case PERCENT_RANK -> ValueType.toOrderedLong(count == 1 ? 0 : start / (double) (count - 1));
          case CUME_DIST -> ValueType.toOrderedLong(stop / (double) count);
          case NTILE -> tile(i, count);
        });
      }
      start = stop;
    }
  }

  /** If the tiles cannot have the same size, the first ones have one row more. */
  private long tile(int row, int count) {
    int size = count / tiles;
    int larger = count % tiles;
    int inLarger = larger * (size + 1);
    return row < inLarger ? row / (size + 1) + 1 : larger + (row - inLarger) / size + 1;
  }
}
