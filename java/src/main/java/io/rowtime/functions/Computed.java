package io.rowtime.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.plan.RexReader;
import io.rowtime.plan.RowContext;
import java.io.Serializable;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexNode;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * An expression that Calcite computes, over values of Spark's: what Spark has no equivalent for means just what Calcite
 * says. The code that Calcite generates is compiled once a task.
 */
public final class Computed implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String expression;
  private final DataType result;
  private final StructType arguments;
  private transient Function1<DataContext, Object[]> compiled;
  private transient RowContext record;
  private transient String operator;

  /**
   * Of an expression of the plan contract.
   *
   * @param expression JSON; its references are the arguments
   * @param result Spark's type of it
   * @param arguments Spark's types of the arguments
   */
  Computed(String expression, DataType result, StructType arguments) {
    this.expression = expression;
    this.result = result;
    this.arguments = arguments;
  }

  /** The value for a row of arguments, as Spark has it inside; null of NULL. */
  public Object evaluate(InternalRow row) {
    if (compiled == null) {
      compile();
    }
    for (int i = 0; i < record.values().length; i++) {
      DataType type = arguments.apply(i).dataType();
      record.values()[i] = row.isNullAt(i) ? null : SparkValues.toCalcite(row.get(i, type), type);
    }
    try {
      return SparkValues.toSpark(compiled.apply(record)[0], result);
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  /** Says which function it was, and what the first cause; see {@code rowtime.runtime.faults}. */
  private RuntimeException failed(RuntimeException fault) {
    Throwable cause = fault;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return new IllegalStateException(operator + " cannot be computed: " + why, fault);
  }

  @Override public boolean equals(Object other) {
    return other instanceof Computed o && expression.equals(o.expression) && result.equals(o.result)
        && arguments.equals(o.arguments);
  }

  @Override public int hashCode() {
    return expression.hashCode();
  }

  private void compile() {
    JsonNode json;
    try {
      json = JSON.readTree(expression);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The plan has an expression that is not JSON", e);
    }
    operator = json.path("op").asText("CAST");
    RexReader reader = new RexReader();
    RexNode rex = reader.read(json);
    RelDataTypeFactory.Builder row = reader.builder().getTypeFactory().builder();
    json.path("inputs").forEach(i -> row.add("A" + row.getFieldCount(), reader.type(i)));
    compiled = RexExecutorImpl.getExecutable(reader.builder(), List.of(rex), row.build()).getFunction();
    record = new RowContext(new Object[arguments.size()]);
  }
}
