package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlTumbleTableFunction;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** {@code TUMBLE(t, DESCRIPTOR(time), size [, offset])}: assigns rows to consecutive windows. */
public final class Tumble extends SqlTumbleTableFunction implements TableFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "SIZE", "OFFSET");
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
