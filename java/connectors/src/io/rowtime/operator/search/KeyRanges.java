package io.rowtime.operator.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructType;
import scala.math.Ordering;

/**
 * Builds a condition that is true for all rows with certain keys and few others, by which Delta and Parquet skip files
 * and row groups. It is not an IN, because Delta uses only the least and the greatest value of a list. Its size is
 * limited, because it is compiled.
 */
final class KeyRanges {
  /** The maximum number of comparisons per column. */
  static final int MAX_COMPARISONS = 64;

  private KeyRanges() {}

  /**
   * Returns the condition.
   *
   * @param keys rows of the types of {@code schema}, without NULLs
   * @param columns the columns that the keys are compared with
   */
  static Column of(Collection<? extends InternalRow> keys, StructType schema, List<Column> columns) {
    if (keys.size() <= MAX_COMPARISONS) {
      return any(keys.stream().map(key -> {
        List<Column> equal = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          DataType type = schema.apply(i).dataType();
          equal.add(columns.get(i).equalTo(literal(key.get(i, type), type)));
        }
        return all(equal);
      }).collect(Collectors.toList()));
    }
    List<Column> ranges = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      DataType type = schema.apply(i).dataType();
      // Spark orders NaN above all numbers, and statistics do not contain it.
      if (!(type instanceof FloatType) && !(type instanceof DoubleType)) {
        ranges.add(ranges(keys, i, type, columns.get(i)));
      }
    }
    return all(ranges);
  }

  private static Column ranges(Collection<? extends InternalRow> keys, int place, DataType type, Column column) {
    Ordering<Object> order = TypeUtils$.MODULE$.getInterpretedOrdering(type);
    List<Object> values = keys.stream().map(key -> key.get(place, type)).distinct().sorted(order).toList();
    List<Column> ranges = new ArrayList<>();
    int size = (values.size() + MAX_COMPARISONS - 1) / MAX_COMPARISONS;
    for (int from = 0; from < values.size(); from += size) {
      Object least = values.get(from);
      Object most = values.get(Math.min(values.size(), from + size) - 1);
      ranges.add(least.equals(most) ? column.equalTo(literal(least, type)) : column.geq(literal(least, type)).and(column.leq(literal(most, type))));
    }
    return any(ranges);
  }

  private static Column literal(Object value, DataType type) {
    return ExpressionUtils.column(new Literal(value, type));
  }

  private static Column any(List<Column> conditions) {
    return combine(conditions, Column::or);
  }

  private static Column all(List<Column> conditions) {
    return conditions.isEmpty() ? ExpressionUtils.column(Literal.TrueLiteral()) : combine(conditions, Column::and);
  }

  /** Combines the conditions into a tree of low depth. */
  private static Column combine(List<Column> conditions, BinaryOperator<Column> both) {
    int size = conditions.size();
    return size == 1 ? conditions.get(0) : both.apply(combine(conditions.subList(0, size / 2), both), combine(conditions.subList(size / 2, size), both));
  }
}
