package io.rowtime.operator.search;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Extracts keys of rows, which are equal if Spark treats them as equal: there are two zeros, and more than one NaN. */
final class KeyProjection {
  private KeyProjection() {}

  /** Returns the columns of a key. */
  static StructType schema(StructType rows, List<String> names) {
    StructType schema = new StructType();
    for (String name : names) {
      schema = schema.add(rows.apply(name));
    }
    return schema;
  }

  static UnsafeProjection projection(StructType schema, List<String> names) {
    List<Expression> values = new ArrayList<>();
    for (String name : names) {
      int place = schema.fieldIndex(name);
      DataType type = schema.apply(place).dataType();
      Expression value = new BoundReference(place, type, true);
      values.add(type instanceof FloatType || type instanceof DoubleType ? new NormalizeNaNAndZero(value) : value);
    }
    return UnsafeProjection.create(CollectionConverters.asScala(values).toSeq());
  }
}
