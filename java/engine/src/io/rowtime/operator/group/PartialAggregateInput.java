package io.rowtime.operator.group;

import io.rowtime.operator.MapSideInput;
import io.rowtime.spark.Generated;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import scala.collection.immutable.Seq;

/** Adds rows to a {@link PartialAggregate}. */
final class PartialAggregateInput extends MapSideInput {
  private static final long serialVersionUID = 1L;

  private final PartialAggregate partial;
  private transient UnsafeProjection key;

  /** @param columns the columns that {@code partial} requires */
  PartialAggregateInput(PartialAggregate partial, List<Expression> columns) {
    super(columns);
    this.partial = partial;
  }

  private Seq<Expression> keys() {
    return columns(0, partial.keys());
  }

  @Override public Object eval(InternalRow row) {
    if (partial.letsThrough()) {
      return true;
    }
    if (key == null) {
      key = UnsafeProjection.create(keys());
    }
    for (int i = partial.keys(); i < size(); i++) {
      set(partial, i - partial.keys(), i, row);
    }
    return partial.take(key.apply(row));
  }

  /** Generates code equivalent to {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("partial", partial, PartialAggregate.class.getName());
    String passes = result.value().toString();
    StringBuilder code = new StringBuilder();
    code.append("boolean ").append(passes).append(" = ").append(its).append(".letsThrough();\n");
    code.append("if (!").append(passes).append(") {\n");
    for (int i = partial.keys(); i < size(); i++) {
      code.append(setting(context, its, i - partial.keys(), i));
    }
    ExprCode row = GenerateUnsafeProjection.createCode(context, keys(), false);
    code.append(row.code()).append("\n").append(passes).append(" = ").append(its).append(".take(").append(row.value())
        .append(");\n}\n");
    return Generated.value(code.toString(), passes, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new PartialAggregateInput(partial, others);
  }

  @Override public String prettyName() {
    return "partial_aggregate";
  }
}
