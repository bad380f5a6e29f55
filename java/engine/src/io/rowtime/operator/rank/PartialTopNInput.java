package io.rowtime.operator.rank;

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

/** Adds rows to a {@link PartialTopN}. */
final class PartialTopNInput extends MapSideInput {
  private static final long serialVersionUID = 1L;

  private final PartialTopN partial;
  private transient UnsafeProjection key;
  private transient UnsafeProjection whole;

  /** @param given the expressions that {@link PartialTopN#inputs} returns */
  PartialTopNInput(PartialTopN partial, List<Expression> given) {
    super(given);
    this.partial = partial;
  }

  private Seq<Expression> keys() {
    return columns(0, partial.keys());
  }

  private Seq<Expression> row() {
    return columns(partial.keys() + partial.ordering(), size());
  }

  @Override public Object eval(InternalRow row) {
    if (partial.letsThrough()) {
      return true;
    }
    if (key == null) {
      key = UnsafeProjection.create(keys());
      whole = UnsafeProjection.create(row());
    }
    for (int i = 0; i < partial.ordering(); i++) {
      set(partial, i, partial.keys() + i, row);
    }
    if (partial.mayEnter(key.apply(row))) {
      partial.add(whole.apply(row));
    }
    return partial.isFullNow();
  }

  /** Generates code equivalent to {@link #eval}. */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("partial", partial, PartialTopN.class.getName());
    String passes = result.value().toString();
    StringBuilder code = new StringBuilder();
    code.append("boolean ").append(passes).append(" = ").append(its).append(".letsThrough();\n");
    code.append("if (!").append(passes).append(") {\n");
    for (int i = 0; i < partial.ordering(); i++) {
      code.append(setting(context, its, i, partial.keys() + i));
    }
    ExprCode of = GenerateUnsafeProjection.createCode(context, keys(), false);
    ExprCode row = GenerateUnsafeProjection.createCode(context, row(), false);
    code.append(of.code()).append("\nif (").append(its).append(".mayEnter(").append(of.value()).append(")) {\n")
        .append(row.code()).append("\n").append(its).append(".add(").append(row.value()).append(");\n}\n")
        .append(passes).append(" = ").append(its).append(".isFullNow();\n}\n");
    return Generated.value(code.toString(), passes, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new PartialTopNInput(partial, others);
  }

  @Override public String prettyName() {
    return "partial_top_n";
  }
}
