package io.rowtime.validate.function;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSessionTableFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/**
 * {@code SESSION(t, DESCRIPTOR(time), DESCRIPTOR(keys), gap)}: assigns rows to sessions, which end when no row arrives
 * within the gap.
 */
public final class Session extends SqlSessionTableFunction implements WindowFunction {
  @Override public List<String> parameters() {
    return List.of("DATA", "TIMECOL", "KEY", "SIZE");
  }

  /** The keys are an argument, or follow the table: {@code SESSION(TABLE t PARTITION BY k, …)}. */
  @Override public SqlNode[] resolve(SqlCall call, SqlNode[] arguments) {
    WindowArguments checked = new WindowArguments(call, getName(), "SESSION(t, DESCRIPTOR(rowtime), DESCRIPTOR(key), INTERVAL '10' MINUTE)", arguments);
    checked.time();
    if (arguments[3] == null && arguments[2] != null && !WindowArguments.isDescriptor(arguments[2])) {
      arguments[3] = arguments[2];
      arguments[2] = null;
    }
    if (arguments[2] != null && !WindowArguments.isDescriptor(arguments[2])) {
      throw checked.error(arguments[2].getParserPosition(), "KEY of SESSION must be a DESCRIPTOR of the columns that distinguish sessions");
    }
    checked.length(3, "SIZE", true);
    SqlNode keys = arguments[2];
    if (arguments[0].getKind() == SqlKind.SET_SEMANTICS_TABLE && arguments[0] instanceof SqlCall table) {
      SqlNodeList partition = table.operand(1);
      if (keys != null && !partition.isEmpty()) {
        throw checked.error(keys.getParserPosition(), "SESSION has two lists of keys: PARTITION BY and KEY");
      }
      if (!partition.isEmpty()) {
        keys = SqlStdOperatorTable.DESCRIPTOR.createCall(partition.getParserPosition(), partition.getList());
      }
    }
    List<SqlNode> given = new ArrayList<>(List.of(arguments[0], arguments[1]));
    if (keys != null) {
      given.add(keys);
    }
    given.add(arguments[3]);
    return given.toArray(SqlNode[]::new);
  }

  @Override public RelNode operator(LogicalTableFunctionScan call, Operators operators) {
    return operators.sessions(call);
  }

  @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    WindowColumns.check(binding);
    return super.checkOperandTypes(binding, throwOnFailure);
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return WindowColumns.withUpperCaseNames(super.getRowTypeInference());
  }
}
