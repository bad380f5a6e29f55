package io.rowtime.sql;

import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code ALTER … ALTER [COLUMN] column SET DATA TYPE | TYPE type} */
public final class SqlAlterColumnType extends SqlAlterRelation {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = operators("ALTER COLUMN", (pos, kind, o) ->
      new SqlAlterColumnType(pos, kind, (SqlIdentifier) o[0], (SqlIdentifier) o[1], (SqlDataTypeSpec) o[2]));

  public final SqlIdentifier column;
  public final SqlDataTypeSpec type;

  public SqlAlterColumnType(SqlParserPos pos, ObjectKind kind, SqlIdentifier name, SqlIdentifier column, SqlDataTypeSpec type) {
    super(pos, kind, name);
    this.column = column;
    this.type = type;
  }

  @Override public SqlOperator getOperator() {
    return OPERATORS.get(kind);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, column, type);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    unparse(writer, "ALTER COLUMN");
    column.unparse(writer, 0, 0);
    writer.keyword("SET DATA TYPE");
    type.unparse(writer, 0, 0);
  }
}
