package io.rowtime.operator.join;

import io.rowtime.spark.BoundExpressions;
import io.rowtime.spark.Frames;
import io.rowtime.spark.PackedRow;
import io.rowtime.state.Partitions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Converts two inputs of a join to DataFrames with the columns that {@link JoinInput} reads: each row is packed into a
 * BINARY value.
 */
final class PackedInputs {
  private static final String INPUT = "rowtime_input";
  private static final String TIME = "rowtime_time";
  private static final String KEY = "rowtime_key";
  private static final String ROW = "rowtime_row";

  private PackedInputs() {}

  /**
   * An input.
   *
   * @param bounds a streaming DataFrame of one TIMESTAMP column, from the same source as the rows: instants of the
   *     watermark that this source alone has reached; null if the query's watermark is enough
   * @param complete whether rows are needed that match nothing because a key is NULL
   * @param distinct whether duplicates count once
   */
  record Packed(Dataset<Row> rows, Dataset<Row> bounds, List<String> keys, List<String> columns, String time, boolean complete,
      boolean distinct) {

    /** Returns the columns of the result; they are {@code nullable} if rows without a match are emitted. */
    StructType schema(boolean nullable) {
      StructType schema = new StructType();
      for (String column : columns) {
        StructField field = rows.schema().apply(column);
        schema = schema.add(column, field.dataType(), nullable || field.nullable());
      }
      return schema;
    }

    /** Returns the rows to shuffle. Rows that cannot match anything are dropped, unless they are needed anyway. */
    private Dataset<Row> packRows(int number) {
      Column known = functions.lit(true);
      for (String name : keys) {
        known = known.and(Frames.column(name).isNotNull());
      }
      Dataset<Row> given = complete ? rows : rows.filter(known);
      Dataset<Row> packed = given.select(functions.lit(number).as(INPUT), Frames.column(time).as(TIME),
          functions.when(known, pack(keys)).as(KEY), pack(columns).as(ROW));
      return distinct ? packed.filter(ExpressionUtils.column(new FirstInTask(ExpressionUtils.expression(functions.col(ROW))))) : packed;
    }

    /**
     * Returns each bound once per partition of the operator: {@link JoinInput#INPUT} is the number of the input plus
     * twice the number of the partition plus one.
     */
    private Dataset<Row> packedBounds(int number) {
      Column partition = functions.explode(Partitions.numbers());
      Column at = Frames.column(bounds.columns()[0]);
      Column none = functions.lit(null).cast(DataTypes.BinaryType);
      return bounds.select(at.as(TIME), partition.as(INPUT))
          .select(functions.col(INPUT).multiply(2).plus(2 + number).as(INPUT), functions.col(TIME), none.as(KEY), none.as(ROW));
    }
  }

  /** Returns the rows and bounds of both inputs: DataFrames with the same columns. */
  static List<Dataset<Row>> of(Packed left, Packed right) {
    List<Dataset<Row>> all = new ArrayList<>(List.of(left.packRows(0), right.packRows(1)));
    if (left.bounds != null) {
      all.add(left.packedBounds(0));
    }
    if (right.bounds != null) {
      all.add(right.packedBounds(1));
    }
    return all;
  }

  /**
   * Returns the shuffle key: rows go by their keys, or all {@code together}; rows without a key to any partition;
   * bounds to all partitions.
   */
  static Column partition(boolean together) {
    Column rows = together ? functions.lit(0) : functions.hash(functions.coalesce(functions.col(KEY), functions.col(ROW)));
    return functions.when(functions.col(ROW).isNull(), functions.shiftright(functions.col(INPUT), 1).minus(1)).otherwise(rows);
  }

  private static Column pack(List<String> names) {
    List<Expression> children = new ArrayList<>();
    names.forEach(name -> children.add(ExpressionUtils.expression(Frames.column(name))));
    return ExpressionUtils.column(new PackedRow(children));
  }

  static StructType joinedSchema(StructType left, StructType right) {
    StructType joined = left;
    for (StructField field : right.fields()) {
      joined = joined.add(field);
    }
    return joined;
  }

  /** Parses a condition in Spark SQL over columns that are named by their number in a joined row; null for null. */
  static Expression condition(Dataset<Row> any, StructType joined, String condition) {
    return condition == null ? null : BoundExpressions.of(any.sparkSession(), joined, List.of(condition))[0];
  }
}
