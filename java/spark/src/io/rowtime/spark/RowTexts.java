package io.rowtime.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/** Writes the values of rows as texts, for people. Times are in UTC. */
public final class RowTexts {
  private final StructType schema;
  private final Expression[] texts;

  public RowTexts(StructType schema) {
    this.schema = schema;
    this.texts = new Expression[schema.length()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new Cast(new BoundReference(i, schema.apply(i).dataType(), true), DataTypes.StringType, Option.apply("UTC"), EvalMode.TRY());
    }
  }

  /** Returns the texts by the names of the columns; null for NULL. */
  public Map<String, String> of(InternalRow row) {
    Map<String, String> found = new LinkedHashMap<>();
    for (int i = 0; i < texts.length; i++) {
      Object text = texts[i].eval(row);
      found.put(schema.apply(i).name(), text == null ? null : text.toString());
    }
    return found;
  }
}
