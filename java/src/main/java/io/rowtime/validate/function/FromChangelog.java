package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlOperatorBinding;

/** {@code FROM_CHANGELOG(input)}: the table that a changelog describes. */
final class FromChangelog extends RowtimeTableFunction {
  FromChangelog() {
    super("FROM_CHANGELOG", List.of("INPUT"), 1, FromChangelog::row, InputMode.AT_ONCE);
  }

  private static RelDataType row(SqlOperatorBinding binding) {
    RelDataType input = binding.getOperandType(0);
    return input.getFieldList().stream()
        .filter(field -> field.getName().equalsIgnoreCase("PAYLOAD") && field.getType().isStruct())
        .findFirst().map(RelDataTypeField::getType).orElse(input);
  }
}
