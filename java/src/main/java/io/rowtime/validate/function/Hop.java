package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlHopTableFunction;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** {@code HOP(t, DESCRIPTOR(time), slide, size [, offset])}: assigns rows to overlapping windows. */
public final class Hop extends SqlHopTableFunction implements TableFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET");
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
