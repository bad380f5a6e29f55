package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlTumbleTableFunction;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** {@code TUMBLE(t, DESCRIPTOR(time), size [, offset])}: assigns rows to consecutive windows. */
public final class Tumble extends SqlTumbleTableFunction implements WindowFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "SIZE", "OFFSET");
  }

  @Override public SqlNode[] resolve(SqlCall call, SqlNode[] arguments) {
    WindowArguments checked = new WindowArguments(call, getName(), "TUMBLE(t, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE)", arguments);
    checked.time();
    checked.length(2, "SIZE", true);
    checked.length(3, "OFFSET", false);
    return arguments;
  }

  @Override public RelNode operator(LogicalTableFunctionScan call, Operators operators) {
    return operators.consecutive(call);
  }

  @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    WindowColumns.check(binding);
    return super.checkOperandTypes(binding, throwOnFailure);
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return WindowColumns.withUpperCaseNames(super.getRowTypeInference());
  }
}
