package io.rowtime.operator;

import io.rowtime.spark.RowPredicate;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A predicate that adds rows to a {@link MapSideColumns}, and is true only for a row that fills it, or that passes
 * through unchanged. As an expression it is part of the code that Spark generates for the surrounding operators, so
 * rows that are not sent are never materialized: their values are enough.
 */
public abstract class MapSideInput extends RowPredicate {
  private static final long serialVersionUID = 1L;

  /** @param columns the values of each row that the buffer receives */
  protected MapSideInput(List<Expression> columns) {
    super(columns);
  }

  /** Returns the columns with the numbers from {@code from} to below {@code to}. */
  protected final Seq<Expression> columns(int from, int to) {
    return CollectionConverters.asScala(CollectionConverters.asJava(children()).subList(from, to)).toSeq();
  }

  /** Sets a column of the buffer to a child's value for a row. */
  protected final void set(MapSideColumns buffer, int column, int child, InternalRow row) {
    Object value = child(child).eval(row);
    if (value == null) {
      buffer.setNull(column);
    } else if (value instanceof Double || value instanceof Float) {
      buffer.set(column, ((Number) value).doubleValue());
    } else if (value instanceof Number number) {
      buffer.set(column, number.longValue());
    } else if (value instanceof Boolean flag) {
      buffer.set(column, flag ? 1L : 0L);
    } else {
      buffer.set(column, value);
    }
  }

  /** Returns generated code that does the same; {@code its} is the variable of the buffer. */
  protected final String setting(CodegenContext context, String its, int column, int child) {
    ExprCode value = child(child).genCode(context);
    return value.code() + "\nif (" + value.isNull() + ") " + its + ".setNull(" + column + "); else " + its + ".set(" + column + ", "
        + argument(child(child).dataType(), value) + ");\n";
  }

  private static String argument(DataType type, ExprCode value) {
    return switch (CodeGenerator.javaType(type)) {
      case "boolean" -> "(" + value.value() + " ? 1L : 0L)";
      case "float", "double" -> "(double) " + value.value();
      case "byte", "short", "int", "long" -> "(long) " + value.value();
      default -> "(Object) " + value.value();
    };
  }
}
