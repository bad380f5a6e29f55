package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.StoredSql;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The {@code ?}s of a prepared {@code INSERT … VALUES} (seed 002): each has the type of the column that it fills. */
final class Parameters {
  private Parameters() {}

  /** Casts each parameter to the type of its column; whether there were any. */
  static boolean typed(SqlInsert insert, CatalogObject target) {
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
      // Too many values: the check of their number says so.
      return parameter;
    }
    return SqlStdOperatorTable.CAST.createCall(parameter.getParserPosition(), parameter, StoredSql.type(column.type()));
  }
}
