package io.rowtime.operator.join;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A predicate that adds rows to {@link PackedRows}; it is true only for a row that fills their blocks. */
public final class PackedRowInput extends RowPredicate {
  private static final long serialVersionUID = 1L;

  private final PackedRows rows;
  private final int keys;
  private transient UnsafeProjection key;
  private transient UnsafeProjection row;

  /**
   * @param keys the number of columns of the key
   * @param columns the time, the columns of the key, and those that the join needs
   */
  PackedRowInput(PackedRows rows, int keys, List<Expression> columns) {
    super(columns);
    this.rows = rows;
    this.keys = keys;
  }

  private Seq<Expression> columns(int from, int to) {
    return CollectionConverters.asScala(CollectionConverters.asJava(children()).subList(from, to)).toSeq();
  }

  private Seq<Expression> key() {
    return columns(1, 1 + keys);
  }

  private Seq<Expression> row() {
    return columns(1 + keys, children().length());
  }

  @Override public Object eval(InternalRow input) {
    if (key == null) {
      key = UnsafeProjection.create(key());
      row = UnsafeProjection.create(row());
    }
    return rows.add((long) child(0).eval(input), key.apply(input), row.apply(input));
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("rows", rows, PackedRows.class.getName());
    ExprCode time = child(0).genCode(context);
    ExprCode itsKey = GenerateUnsafeProjection.createCode(context, key(), false);
    ExprCode itsRow = GenerateUnsafeProjection.createCode(context, row(), false);
    String full = result.value().toString();
    String add = its + ".add(" + time.value() + ", " + itsKey.value() + ", " + itsRow.value() + ")";
    return Generated.value(time.code() + "\n" + itsKey.code() + "\n" + itsRow.code() + "\nboolean " + full + " = " + add + ";\n",
        full, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new PackedRowInput(rows, keys, others);
  }

  @Override public String prettyName() {
    return "packed_row_input";
  }
}
