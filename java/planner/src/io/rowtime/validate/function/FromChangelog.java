package io.rowtime.validate.function;

import io.rowtime.catalog.ChangelogShape;
import io.rowtime.diagnostic.DiagnosticException;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** {@code FROM_CHANGELOG(input [, on_key])}: the table that a changelog describes. */
public final class FromChangelog extends RowtimeTableFunction {
  /** The columns of a changelog. */
  public static final String OP = ChangelogShape.OP;
  public static final String PAYLOAD = ChangelogShape.PAYLOAD;
  /** The values of OP for rows that are inserted, or replace others; and for those that are replaced or deleted. */
  public static final List<Integer> ADDED = List.of(0, 2);
  public static final List<Integer> RETRACTED = List.of(1, 3);

  FromChangelog() {
    super("FROM_CHANGELOG", List.of("INPUT", "ON_KEY"), 1, FromChangelog::row, InputMode.AT_ONCE);
  }

  @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    if (!super.checkOperandTypes(binding, throwOnFailure)) {
      return false;
    }
    if (!isChangelog(binding.getOperandType(0))) {
      throw new DiagnosticException("RT0130", binding.getCall().getParserPosition(),
          "FROM_CHANGELOG reads a column OP of an integer type, and a column PAYLOAD of a ROW type",
          "give the columns these names, as in FROM_CHANGELOG((SELECT kind AS op, ROW(k, v) AS payload FROM …))");
    }
    return true;
  }

  @Override RelDataType described(RelDataType input) {
    return rows(input);
  }

  /** Returns the columns of the rows that a changelog function has, by its input: those of a changelog that it reads, or of the input itself. */
  public static RelDataType described(SqlOperator function, RelDataType input) {
    return ((RowtimeTableFunction) function).described(input);
  }

  /** Returns whether an input has the columns of a changelog. */
  static boolean isChangelog(RelDataType input) {
    RelDataTypeField op = input.getField(OP, false, false);
    RelDataTypeField payload = input.getField(PAYLOAD, false, false);
    return op != null && SqlTypeUtil.isIntType(op.getType()) && payload != null && payload.getType().isStruct();
  }

  private static RelDataType row(SqlOperatorBinding binding) {
    return rows(binding.getOperandType(0));
  }

  private static RelDataType rows(RelDataType input) {
    return isChangelog(input) ? input.getField(PAYLOAD, false, false).getType() : input;
  }
}
