package io.rowtime.lateness;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;

/**
 * A predicate that is true for the rows that a filter passes. As an expression it is part of the code that Spark
 * generates for the surrounding operators, and costs two comparisons per row.
 *
 * <p>Its children are the values, the thresholds, the columns that must not be NULL, and the row in the form in which
 * it is set aside.
 */
final class LateRowPredicate extends RowPredicate {
  private static final long serialVersionUID = 1L;

  private final LateRowFilter filter;
  private final int columns;
  private final int required;

  /**
   * @param values one for each column of the filter; NULL is never late
   * @param thresholds one for each column of the filter; NULL advances no clock
   * @param required the columns of {@code shown} that must not be NULL
   * @param shown a struct of the columns that are set aside of a refused row
   */
  LateRowPredicate(LateRowFilter filter, List<Expression> values, List<Expression> thresholds, List<Expression> required, Expression shown) {
    this(filter, join(values, thresholds, required, List.of(shown)));
  }

  private LateRowPredicate(LateRowFilter filter, List<Expression> children) {
    super(children);
    this.filter = filter;
    this.columns = filter.setup().columns().size();
    this.required = children.size() - 2 * columns - 1;
  }

  @SafeVarargs private static List<Expression> join(List<Expression>... parts) {
    List<Expression> all = new ArrayList<>();
    for (List<Expression> part : parts) {
      all.addAll(part);
    }
    return all;
  }

  private Expression value(int column) {
    return child(column);
  }

  private Expression threshold(int column) {
    return child(columns + column);
  }

  private Expression required(int index) {
    return child(2 * columns + index);
  }

  private Expression shown() {
    return child(size() - 1);
  }

  @Override public Object eval(InternalRow row) {
    filter.arrive();
    for (int i = 0; i < required; i++) {
      if (required(i).eval(row) == null) {
        filter.refuseNull(i, (InternalRow) shown().eval(row));
        return false;
      }
    }
    for (int i = 0; i < columns; i++) {
      Object value = value(i).eval(row);
      if (value != null && filter.isLateValue(i, value)) {
        filter.refuse(i, (InternalRow) shown().eval(row));
        return false;
      }
    }
    for (int i = 0; i < columns; i++) {
      Object threshold = threshold(i).eval(row);
      if (threshold != null) {
        filter.moveValue(i, threshold);
      }
    }
    return true;
  }

  /**
   * Generates code equivalent to {@link #eval}. The struct of the shown columns is computed in one place, where the row
   * is refused.
   */
  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("filter", filter, LateRowFilter.class.getName());
    String passes = result.value().toString();
    String fault = context.freshName("fault");
    StringBuilder code = new StringBuilder();
    code.append(its).append(".arrive();\n");
    // The number of the column for which the row is refused; columns that must not be NULL come first.
    code.append("int ").append(fault).append(" = -1;\n");
    for (int i = 0; i < required; i++) {
      ExprCode column = required(i).genCode(context);
      code.append("if (").append(fault).append(" < 0) {\n").append(column.code()).append("\nif (")
          .append(column.isNull()).append(") ").append(fault).append(" = ").append(i).append(";\n}\n");
    }
    for (int i = 0; i < columns; i++) {
      ExprCode value = value(i).genCode(context);
      code.append("if (").append(fault).append(" < 0) {\n").append(value.code()).append("\nif (!").append(value.isNull())
          .append(" && ").append(call(its, "isLate", i, value(i), value)).append(") ")
          .append(fault).append(" = ").append(required + i).append(";\n}\n");
    }
    code.append("if (").append(fault).append(" < 0) {\n");
    for (int i = 0; i < columns; i++) {
      ExprCode threshold = threshold(i).genCode(context);
      code.append(threshold.code()).append("\nif (!").append(threshold.isNull()).append(") ")
          .append(call(its, "move", i, threshold(i), threshold)).append(";\n");
    }
    ExprCode row = shown().genCode(context);
    code.append("} else {\n").append(row.code()).append("\nif (").append(fault).append(" < ").append(required).append(") ")
        .append(its).append(".refuseNull(").append(fault).append(", ").append(row.value()).append("); else ")
        .append(its).append(".refuse(").append(fault).append(" - ").append(required).append(", ").append(row.value())
        .append(");\n}\n");
    code.append("boolean ").append(passes).append(" = ").append(fault).append(" < 0;\n");
    return Generated.value(code.toString(), passes, Boolean.TYPE);
  }

  private static String call(String filter, String method, int column, Expression expression, ExprCode code) {
    DataType type = expression.dataType();
    if (Clock.isLong(type)) {
      return filter + "." + method + "(" + column + ", " + code.value() + ")";
    }
    String java = CodeGenerator.javaType(type);
    String value = CodeGenerator.isPrimitiveType(java) ? CodeGenerator.boxedType(java) + ".valueOf(" + code.value() + ")"
        : code.value().toString();
    return filter + "." + method + "Value(" + column + ", " + value + ")";
  }

  @Override protected Expression over(List<Expression> others) {
    return new LateRowPredicate(filter, others);
  }

  @Override public String prettyName() {
    return filter.setup().control() ? "moves_clock" : "in_time";
  }

  @Override public String toString() {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      values.add(value(i).toString());
    }
    return prettyName() + values;
  }
}
