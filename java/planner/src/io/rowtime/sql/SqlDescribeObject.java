package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code DESCRIBE [kind] name}. */
public final class SqlDescribeObject extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("DESCRIBE", SqlKind.OTHER, (pos, o) ->
          new SqlDescribeObject(pos, NodeOperator.symbol(o[0], ObjectKind.class), (SqlIdentifier) o[1]));

  /** Null if the statement does not contain it. */
  public final ObjectKind kind;
  public final SqlIdentifier name;

  public SqlDescribeObject(SqlParserPos pos, ObjectKind kind, SqlIdentifier name) {
    super(pos);
    this.kind = kind;
    this.name = name;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(kind), name);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DESCRIBE");
    if (kind != null) {
      writer.keyword(kind.sql());
    }
    name.unparse(writer, 0, 0);
  }
}
