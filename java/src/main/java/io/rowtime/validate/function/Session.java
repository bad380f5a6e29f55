package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlSessionTableFunction;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/**
 * {@code SESSION(t, DESCRIPTOR(time), DESCRIPTOR(keys), gap)}: assigns rows to sessions, which end when no row arrives
 * within the gap.
 */
public final class Session extends SqlSessionTableFunction implements TableFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "KEY", "SIZE");
  }

  @Override public InputMode inputMode() {
    return InputMode.ROWS;
  }

  @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    WindowColumns.check(binding);
    return super.checkOperandTypes(binding, throwOnFailure);
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return WindowColumns.withUpperCaseNames(super.getRowTypeInference());
  }
}
