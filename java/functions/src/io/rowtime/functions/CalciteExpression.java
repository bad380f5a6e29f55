package io.rowtime.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.plan.constant.RowContext;
import io.rowtime.plan.json.RexReader;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexNode;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * An expression that Calcite computes over Spark's values, for calls that have no equivalent in Spark. The code that
 * Calcite generates is compiled once per task thread, as long as the number of expressions in use is small.
 */
public final class CalciteExpression implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String expression;
  private final DataType result;
  private final StructType arguments;
  private transient Compiled compiled;

  /** The number of expressions that a thread caches. */
  private static final int CACHE_SIZE = 256;

  /** A compiled expression. Each belongs to one thread, because Calcite's functions may have state. */
  private record Compiled(String operator, Function1<DataContext, Object[]> function, RowContext row) {}

  /** Expressions in order of last use. */
  private static final ThreadLocal<Map<String, Compiled>> COMPILED =
      ThreadLocal.withInitial(() -> new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override protected boolean removeEldestEntry(Map.Entry<String, Compiled> eldest) {
          return size() > CACHE_SIZE;
        }
      });

  /**
   * Creates the function for an expression of the plan contract.
   *
   * @param expression the JSON of the expression, whose references are the arguments
   * @param result Spark's type of the result
   * @param arguments Spark's types of the arguments
   */
  CalciteExpression(String expression, DataType result, StructType arguments) {
    this.expression = expression;
    this.result = result;
    this.arguments = arguments;
  }

  /** Returns the value for a row of arguments, in Spark's internal form; null for NULL. */
  public Object evaluate(InternalRow row) {
    if (compiled == null) {
      compiled = COMPILED.get().computeIfAbsent(expression, missing -> compile());
    }
    Object[] values = compiled.row.values();
    for (int i = 0; i < values.length; i++) {
      DataType type = arguments.apply(i).dataType();
      values[i] = row.isNullAt(i) ? null : SparkValues.toCalcite(row.get(i, type), type);
    }
    try {
      return SparkValues.toSpark(compiled.function.apply(compiled.row)[0], result);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Returns an exception that names the function and the first cause; see {@code rowtime.runtime.faults}. */
  private RuntimeException failed(RuntimeException fault) {
    Throwable cause = fault;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new IllegalStateException(compiled.operator + " cannot be computed: " + why, fault);
  }

  @Override public boolean equals(Object other) {
    return other instanceof CalciteExpression o && expression.equals(o.expression) && result.equals(o.result)
        && arguments.equals(o.arguments);
  }

  @Override public int hashCode() {
    return expression.hashCode();
  }

  private Compiled compile() {
    JsonNode json;
    try {
      json = JSON.readTree(expression);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The plan has an expression that is not JSON", e);
    }
    RexReader reader = new RexReader();
    RexNode rex = reader.read(json);
    RelDataTypeFactory.Builder row = reader.builder().getTypeFactory().builder();
    json.path("inputs").forEach(i -> row.add("A" + row.getFieldCount(), reader.type(i)));
    return new Compiled(json.path("op").asText("CAST"),
        RexExecutorImpl.getExecutable(reader.builder(), List.of(rex), row.build()).getFunction(),
        new RowContext(new Object[arguments.size()]));
  }
}
