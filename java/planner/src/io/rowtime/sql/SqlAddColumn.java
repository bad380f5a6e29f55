package io.rowtime.sql;

import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code ALTER … ADD [COLUMN] column} */
public final class SqlAddColumn extends SqlAlterRelation {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = operators("ADD COLUMN", (pos, kind, o) ->
      new SqlAddColumn(pos, kind, (SqlIdentifier) o[0], (SqlColumnDeclaration) o[1]));

  public final SqlColumnDeclaration column;

  public SqlAddColumn(SqlParserPos pos, ObjectKind kind, SqlIdentifier name, SqlColumnDeclaration column) {
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
    unparse(writer, "ADD COLUMN");
    column.unparse(writer, 0, 0);
  }
}
