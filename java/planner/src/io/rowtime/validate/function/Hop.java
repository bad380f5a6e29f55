package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlHopTableFunction;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** {@code HOP(t, DESCRIPTOR(time), slide, size [, offset])}: assigns rows to overlapping windows. */
public final class Hop extends SqlHopTableFunction implements WindowFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET");
  }

  @Override public SqlNode[] resolve(SqlCall call, SqlNode[] arguments) {
    WindowArguments checked = new WindowArguments(call, getName(), "HOP(t, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE): the slide, and then the size", arguments);
    checked.time();
    checked.length(2, "SLIDE", true);
    checked.length(3, "SIZE", true);
    checked.length(4, "OFFSET", false);
    return arguments;
  }

  @Override public RelNode operator(LogicalTableFunctionScan call, Operators operators) {
    return operators.overlapping(call);
  }

  @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    WindowColumns.check(binding);
    return super.checkOperandTypes(binding, throwOnFailure);
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return WindowColumns.withUpperCaseNames(super.getRowTypeInference());
  }
}
