package io.rowtime.operator.calls;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;

/**
 * MEDIAN, PERCENTILE_CONT and PERCENTILE_DISC, ignoring NULLs, with the formulas of Spark's aggregates of these names.
 */
final class Percentile implements Aggregate {
  private final int column;
  private final ValueType result;
  private final double fraction;
  private final boolean interpolates;
  private final OrderedTree values;
  private int[] trees = new int[0];

  Percentile(int column, ValueType type, ValueType result, double fraction, boolean interpolates) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("A percentile is between 0 and 1: " + fraction);
    }
    this.column = column;
    this.result = result;
    this.fraction = fraction;
    this.interpolates = interpolates;
    this.values = new OrderedTree(type);
  }

  @Override public void grow(int slots) {
    if (slots > trees.length) {
      trees = Arrays.copyOf(trees, slots * 2);
    }
  }

  @Override public void add(int slot, Chunk from, int row) {
    Values column = from.columns[this.column];
    if (!column.isNull(row)) {
      trees[slot] = values.add(trees[slot], column, row);
    }
  }

  @Override public void remove(int slot, Chunk from, int row) {
    Values column = from.columns[this.column];
    if (!column.isNull(row)) {
      trees[slot] = values.remove(trees[slot], column, row);
    }
  }

  @Override public void result(int slot, Chunk current, int row, Values to, int at) {
    int tree = trees[slot];
    int count = values.size(tree);
    if (count == 0) {
      to.setNull(at);
    } else if (interpolates) {
      double position = (count - 1) * fraction;
      interpolate(values.at(tree, (int) Math.floor(position)), values.at(tree, (int) Math.ceil(position)), position,
          to, at);
    } else {
      int rank = (int) Math.ceil(count * fraction);
      to.set(at, values.values(), values.at(tree, Math.max(rank, 1) - 1));
    }
  }

  private void interpolate(int lower, int upper, double position, Values to, int at) {
    double weight = position - Math.floor(position);
    Values all = values.values();
    if (result.isFloating()) {
      double low = NumericValues.of(all, lower);
      double high = NumericValues.of(all, upper);
      double ceiling = Math.ceil(position);
      to.setLong(at, ValueType.toOrderedLong(lower == upper || low == high ? low
          : (ceiling - position) * low + weight * high));
      return;
    }
    BigDecimal low = NumericValues.exactly(all, lower);
    BigDecimal between = NumericValues.exactly(all, upper).subtract(low).multiply(new BigDecimal(weight)).add(low);
    var unscaled = between.setScale(result.scale(), RoundingMode.HALF_UP).unscaledValue();
    if (result.isObject()) {
      to.setObject(at, unscaled);
    } else {
      to.setLong(at, unscaled.longValueExact());
    }
  }

  @Override public void clear(int slot) {
    values.clear(trees[slot]);
    trees[slot] = 0;
  }
}
