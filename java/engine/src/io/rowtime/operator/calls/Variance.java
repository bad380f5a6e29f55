package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** VAR_POP, VAR_SAMP, STDDEV_POP and STDDEV_SAMP, from the exact sums of x and of x². */
final class Variance implements Aggregate {
  private final int column;
  private final boolean sample;
  private final boolean root;
  private long[] counts = new long[0];
  private ExactNumbers[] sums = new ExactNumbers[0];
  private ExactNumbers[] squares = new ExactNumbers[0];

  Variance(int column, boolean sample, boolean root) {
    this.column = column;
    this.sample = sample;
    this.root = root;
  }

  @Override public void grow(int slots) {
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
      sums = Arrays.copyOf(sums, slots * 2);
      squares = Arrays.copyOf(squares, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    if (counts[slot]++ == 0) {
      sums[slot] = new ExactNumbers();
      squares[slot] = new ExactNumbers();
    }
    double x = NumericValues.of(values, row);
    double square = x * x;
    sums[slot].add(x);
    squares[slot].add(square);
    if (!Double.isInfinite(square)) {
      squares[slot].add(Math.fma(x, x, -square));
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    Values values = from.columns[column];
    if (values.isNull(row)) {
      return;
    }
    if (--counts[slot] == 0) {
      sums[slot] = null;
      squares[slot] = null;
      return;
    }
    double x = NumericValues.of(values, row);
    double square = x * x;
    sums[slot].remove(x);
    squares[slot].remove(square);
    if (!Double.isInfinite(square)) {
      squares[slot].remove(Math.fma(x, x, -square));
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    long count = counts[slot];
    long divisor = sample ? count - 1 : count;
    if (divisor <= 0) {
      to.setNull(at);
      return;
    }
    double variance = spread(slot, count) / divisor;
    to.setLong(at, ValueType.toOrderedLong(root ? Math.sqrt(variance) : variance));
  }

  /**
   * Returns Σx² − (Σx)² / n, in twice the precision of a double, because the difference of large numbers may be small.
   */
  private double spread(int slot, long count) {
    double sum = sums[slot].nearest();
    double sumRest = sums[slot].rest(sum);
    double square = squares[slot].nearest();
    if (Double.isNaN(sum + square) || Double.isInfinite(sum) || Double.isInfinite(square)) {
      return Double.NaN;
    }
    double squareRest = squares[slot].rest(square);
    double product = sum * sum;
    double productRest = Math.fma(sum, sum, -product) + 2 * sum * sumRest;
    double mean = product / count;
    double meanRest = (Math.fma(-mean, (double) count, product) + productRest) / count;
    return Math.max(0, square - mean + (squareRest - meanRest));
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    sums[slot] = null;
    squares[slot] = null;
  }

  @Override public void save(int slot, Output to) {
    to.number(counts[slot]);
    if (counts[slot] > 0) {
      sums[slot].save(to);
      squares[slot].save(to);
    }
  }

  @Override public void load(int slot, Input from) {
    counts[slot] = from.number();
    sums[slot] = counts[slot] > 0 ? ExactNumbers.load(from) : null;
    squares[slot] = counts[slot] > 0 ? ExactNumbers.load(from) : null;
  }
}
