package io.rowtime.exchange;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;

/** A predicate that adds rows to {@link RowBlocks}; it is true only for a row that fills them. */
public final class RowBlockInput extends RowPredicate {
  private static final long serialVersionUID = 1L;

  private final RowBlocks blocks;
  private transient UnsafeProjection projection;

  /** @param columns the columns of a row, in the form that the operator receives: the last one is the key of its partition */
  public RowBlockInput(RowBlocks blocks, List<Expression> columns) {
    super(columns);
    this.blocks = blocks;
  }

  private int key() {
    return children().length() - 1;
  }

  @Override public Object eval(InternalRow row) {
    if (projection == null) {
      projection = UnsafeProjection.create(children());
    }
    UnsafeRow binary = projection.apply(row);
    return blocks.add(binary.getInt(key()), binary);
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("blocks", blocks, RowBlocks.class.getName());
    ExprCode row = GenerateUnsafeProjection.createCode(context, children(), false);
    String full = result.value().toString();
    String add = its + ".add(" + row.value() + ".getInt(" + key() + "), " + row.value() + ")";
    return Generated.value(row.code() + "\nboolean " + full + " = " + add + ";\n", full, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new RowBlockInput(blocks, others);
  }

  @Override public String prettyName() {
    return "row_block_input";
  }
}
