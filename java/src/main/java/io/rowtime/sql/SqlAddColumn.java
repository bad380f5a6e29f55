package io.rowtime.sql;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code ALTER STREAM | FOREIGN STREAM | TABLE | FOREIGN TABLE name ADD [COLUMN] column}. */
public final class SqlAddColumn extends SqlCall {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = new EnumMap<>(ObjectKind.class);

  static {
    for (ObjectKind kind : ObjectKind.values()) {
      OPERATORS.put(kind, new NodeOperator("ALTER " + kind.sql(), SqlKind.OTHER_DDL, (pos, o) ->
          new SqlAddColumn(pos, kind, (SqlIdentifier) o[0], (SqlColumnDeclaration) o[1])));
    }
  }

  public final ObjectKind kind;
  public final SqlIdentifier name;
  public final SqlColumnDeclaration column;

  public SqlAddColumn(SqlParserPos pos, ObjectKind kind, SqlIdentifier name, SqlColumnDeclaration column) {
    super(pos);
    this.kind = kind;
    this.name = name;
    this.column = column;
  }

  @Override public SqlOperator getOperator() {
    return OPERATORS.get(kind);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, column);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER " + kind.sql());
    name.unparse(writer, 0, 0);
    writer.keyword("ADD COLUMN");
    column.unparse(writer, 0, 0);
  }
}
