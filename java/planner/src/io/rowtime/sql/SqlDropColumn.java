package io.rowtime.sql;

import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code ALTER … DROP [COLUMN] column} */
public final class SqlDropColumn extends SqlAlterRelation {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = operators("DROP COLUMN", (pos, kind, o) ->
      new SqlDropColumn(pos, kind, (SqlIdentifier) o[0], (SqlIdentifier) o[1]));

  public final SqlIdentifier column;

  public SqlDropColumn(SqlParserPos pos, ObjectKind kind, SqlIdentifier name, SqlIdentifier column) {
    super(pos, kind, name);
    this.column = column;
  }

  @Override public SqlOperator getOperator() {
    return OPERATORS.get(kind);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, column);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    unparse(writer, "DROP COLUMN");
    column.unparse(writer, 0, 0);
  }
}
