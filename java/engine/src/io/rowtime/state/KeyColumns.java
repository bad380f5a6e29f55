package io.rowtime.state;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Projects the PARTITION BY columns of a row to a row of their own. */
public final class KeyColumns {
  private KeyColumns() {}

  public static UnsafeProjection of(List<String> columns, StructType schema) {
    List<Expression> references = new ArrayList<>();
    for (String column : columns) {
      int ordinal = schema.fieldIndex(column);
      StructField field = schema.apply(ordinal);
      references.add(new BoundReference(ordinal, field.dataType(), field.nullable()));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(references).toSeq());
  }
}
