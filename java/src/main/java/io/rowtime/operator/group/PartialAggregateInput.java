package io.rowtime.operator.group;

import io.rowtime.spark.Generated;
import io.rowtime.spark.JavaExpression;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A condition that takes rows in, and is true only for one with which a {@link PartialAggregate} is full, or that goes on as it is.
 * As an expression it becomes part of the code that Spark generates for the operators around it, so that rows which are
 * combined are never made: their values are enough.
 */
final class PartialAggregateInput extends JavaExpression {
  private static final long serialVersionUID = 1L;

  private final PartialAggregate partial;
  private transient UnsafeProjection key;

  /** @param columns those that {@code partial} asks for */
  PartialAggregateInput(PartialAggregate partial, List<Expression> columns) {
    super(columns);
    this.partial = partial;
  }

  private Seq<Expression> keys() {
    List<Expression> keys = new ArrayList<>();
    for (int i = 0; i < partial.keys(); i++) {
      keys.add(child(i));
    }
    return CollectionConverters.asScala(keys).toSeq();
  }

  @Override public Object eval(InternalRow row) {
    if (partial.letsThrough()) {
      return true;
    }
    if (key == null) {
      key = UnsafeProjection.create(keys());
    }
    for (int i = partial.keys(); i < size(); i++) {
      Object value = child(i).eval(row);
      int column = i - partial.keys();
      if (value == null) {
        partial.setNull(column);
      } else if (value instanceof Double || value instanceof Float) {
        partial.set(column, ((Number) value).doubleValue());
      } else if (value instanceof Number number) {
        partial.set(column, number.longValue());
      } else if (value instanceof Boolean flag) {
        partial.set(column, flag ? 1L : 0L);
      } else {
        partial.set(column, value);
      }
    }
    return partial.take(key.apply(row));
  }

  /** The same as {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("partial", partial, PartialAggregate.class.getName());
    String passes = result.value().toString();
    StringBuilder code = new StringBuilder();
    code.append("boolean ").append(passes).append(" = ").append(its).append(".letsThrough();\n");
    code.append("if (!").append(passes).append(") {\n");
    for (int i = partial.keys(); i < size(); i++) {
      ExprCode value = child(i).genCode(context);
      int column = i - partial.keys();
      code.append(value.code()).append("\nif (").append(value.isNull()).append(") ").append(its).append(".setNull(")
          .append(column).append("); else ").append(its).append(".set(").append(column).append(", ")
          .append(given(child(i).dataType(), value)).append(");\n");
    }
    ExprCode row = GenerateUnsafeProjection.createCode(context, keys(), false);
    code.append(row.code()).append("\n").append(passes).append(" = ").append(its).append(".take(").append(row.value())
        .append(");\n}\n");
    return Generated.value(code.toString(), passes, Boolean.TYPE);
  }

  private static String given(DataType type, ExprCode value) {
    return switch (CodeGenerator.javaType(type)) {
      case "boolean" -> "(" + value.value() + " ? 1L : 0L)";
      case "float", "double" -> "(double) " + value.value();
      case "byte", "short", "int", "long" -> "(long) " + value.value();
      default -> "(Object) " + value.value();
    };
  }

  @Override public boolean deterministic() {
    // Each row is to be taken once, here: whoever filters the rows may not do so before.
    return false;
  }

  @Override public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override protected Expression over(List<Expression> others) {
    return new PartialAggregateInput(partial, others);
  }

  @Override public String prettyName() {
    return "partial_aggregate";
  }
}
