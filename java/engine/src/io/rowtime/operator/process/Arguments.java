package io.rowtime.operator.process;

import io.rowtime.functions.ApiValues;
import io.rowtime.operator.spec.ProcessSpec;
import java.io.Serializable;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** The arguments of a function call, which are the same for all rows. */
final class Arguments implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<String, Object> values = new HashMap<>();
  /** An Arrow stream; empty if there are no arguments. */
  private byte[] arrow = new byte[0];

  private Arguments() {}

  /** @param expressions the values of the parameters, in Spark SQL */
  static Arguments of(SparkSession spark, ProcessSpec spec, List<String> expressions) {
    Arguments arguments = new Arguments();
    if (expressions.isEmpty()) {
      return arguments;
    }
    Column[] columns = IntStream.range(0, expressions.size()).mapToObj(i -> functions.expr(expressions.get(i)).as(spec.parameters().get(i)))
        .toArray(Column[]::new);
    Dataset<Row> one = spark.sql("SELECT 1").select(columns);
    StructType schema = one.schema();
    InternalRow row = ((org.apache.spark.sql.classic.Dataset<Row>) one).queryExecution().executedPlan().executeCollect()[0];
    for (int i = 0; i < columns.length; i++) {
      Object value = row.isNullAt(i) ? null : row.get(i, schema.apply(i).dataType());
      arguments.values.put(spec.parameters().get(i).toUpperCase(Locale.ROOT), ApiValues.toApi(value, schema.apply(i).dataType()));
    }
    arguments.arrow = spec.language() == ProcessSpec.Language.JAVA ? arguments.arrow : ArrowBatches.stream(List.of(row).iterator(), schema);
    return arguments;
  }

  /** Returns the values by the names of the parameters, in upper case. */
  Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }

  byte[] arrow() {
    return arrow;
  }
}
