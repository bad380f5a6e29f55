package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What a micro-batch changes among the first rows of partitions: each row that is no longer one of them, with how often it was there as a
 * number below 0, and each that has come in, with one above 0.
 */
final class ChangedFirstRows {
  private final int ranks;
  private final Rows rows;
  private final UnsafeRow view;
  /** The ranks, and how often a row is added. */
  private final Values[] results;

  /**
   * @param width the number of columns of the rows
   * @param ranks the number of ranks that are added to them
   */
  ChangedFirstRows(int width, int ranks) {
    this.ranks = ranks;
    rows = new Rows(width);
    view = new UnsafeRow(width);
    results = new Values[ranks + 1];
    Arrays.setAll(results, i -> new Values(RankedRows.BIGINT, 64));
  }

  /** Returns the output columns: those of a row, its ranks, and how often it is added or retracted. */
  static StructType output(List<String> columns, List<TopNSpec.Rank> ranks, StructType input) {
    StructType output = kept(columns, input);
    for (TopNSpec.Rank rank : ranks) {
      output = output.add(rank.name(), DataTypes.LongType);
    }
    return output.add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
  }

  /** Returns the types of the output columns after those of a row. */
  static List<DataType> types(int ranks) {
    return Collections.nCopies(ranks + 1, DataTypes.LongType);
  }

  /** Returns the columns of a row. */
  static StructType kept(List<String> columns, StructType input) {
    return new StructType(columns.stream().map(input::apply).toArray(StructField[]::new));
  }

  static List<RankFunction> functions(List<TopNSpec.Rank> ranks) {
    return ranks.stream().map(TopNSpec.Rank::function).toList();
  }

  /** Adds what has changed in a partition: first the rows that are gone, then those that have come. */
  void add(FirstRows before, FirstRows after) {
    before.rows().forEach((row, count) -> {
      long gone = count - after.rows().getOrDefault(row, 0L);
      if (gone > 0) {
        add(row, -gone);
      }
    });
    after.rows().forEach((row, count) -> {
      long come = count - before.rows().getOrDefault(row, 0L);
      if (come > 0) {
        add(row, come);
      }
    });
  }

  private void add(FirstRows.Ranked row, long times) {
    int at = add(row.row().array(), times);
    for (int i = 0; i < ranks; i++) {
      results[i].setLong(at, row.ranks().get(i));
    }
  }

  /** Adds a row all of whose ranks are {@code number}. */
  void add(byte[] row, long number, long times) {
    int at = add(row, times);
    for (int i = 0; i < ranks; i++) {
      results[i].setLong(at, number);
    }
  }

  private int add(byte[] row, long times) {
    view.pointTo(row, row.length);
    int at = rows.add(view, 0, 0);
    results[ranks].setLong(at, times);
    return at;
  }

  OutputBatch rows() {
    int[] which = new int[rows.count()];
    Arrays.setAll(which, i -> i);
    return new OutputBatch(rows, which, which.length, results);
  }
}
