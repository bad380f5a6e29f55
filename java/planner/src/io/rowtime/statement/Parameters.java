package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.StoredSql;
import io.rowtime.plan.rel.Plans;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The {@code ?} parameters of a prepared {@code INSERT … VALUES}: each has the type of the column that it fills. */
final class Parameters {
  private Parameters() {}

  /** Casts each parameter to the type of its column; returns whether there were any. */
  static boolean castToColumns(SqlInsert insert, CatalogObject target) {
    if (insert.getSource().getKind() != SqlKind.VALUES) {
      return false;
    }
    boolean any = false;
    for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
      SqlCall values = (SqlCall) row;
      for (int i = 0; i < values.operandCount(); i++) {
        if (values.operand(i).getKind() == SqlKind.DYNAMIC_PARAM) {
          any = true;
          values.setOperand(i, cast(values.operand(i), column(insert.getTargetColumnList(), target, i)));
        }
      }
    }
    return any;
  }

  /** Returns whether the inserted row consists of parameters only. */
  static boolean areRow(SqlInsert insert) {
    return insert.getSource().getKind() == SqlKind.VALUES && ((SqlCall) insert.getSource()).operandCount() == 1
        && ((SqlCall) ((SqlCall) insert.getSource()).operand(0)).getOperandList().stream()
            .allMatch(value -> value.getKind() == SqlKind.DYNAMIC_PARAM);
  }

  /** Returns the types of the parameters of a plan, in order. */
  static List<RelDataType> types(RelNode plan) {
    SortedMap<Integer, RelDataType> found = new TreeMap<>();
    RexShuttle collector = new RexShuttle() {
      @Override public RexNode visitDynamicParam(RexDynamicParam parameter) {
        found.put(parameter.getIndex(), parameter.getType());
        return parameter;
      }
    };
    Plans.nodes(plan).forEach(node -> node.accept(collector));
    return List.copyOf(found.values());
  }

  private static CatalogColumn column(SqlNodeList named, CatalogObject target, int index) {
    List<CatalogColumn> columns = target.columns();
    if (named == null) {
      return index < columns.size() ? columns.get(index) : null;
    }
    String name = index < named.size() ? ((SqlIdentifier) named.get(index)).getSimple() : "";
    return columns.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst().orElse(null);
  }

  private static SqlNode cast(SqlNode parameter, CatalogColumn column) {
    if (column == null) {
      // There are too many values; the check of their number reports it.
      return parameter;
    }
    return SqlStdOperatorTable.CAST.createCall(parameter.getParserPosition(), parameter, StoredSql.type(column.type()));
  }
}
