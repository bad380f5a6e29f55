package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.SqlTypeName;

/** {@code TO_CHANGELOG(input [, on_key])}: the changes of a table as rows. */
final class ToChangelog extends RowtimeTableFunction {
  ToChangelog() {
    super("TO_CHANGELOG", List.of("INPUT", "ON_KEY"), 1, ToChangelog::row, InputMode.CHANGES);
  }

  /** Returns {@code (OP TINYINT NOT NULL, PAYLOAD ROW<the input's columns>)}. */
  private static RelDataType row(SqlOperatorBinding binding) {
    return binding.getTypeFactory().builder()
        .add("OP", SqlTypeName.TINYINT)
        .add("PAYLOAD", binding.getOperandType(0))
        .build();
  }
}
