package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code EXPLAIN [PLAN FOR] statement}, for a query or a statement that changes data or the catalog. */
public final class SqlExplainStatement extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("EXPLAIN", SqlKind.OTHER, (pos, o) -> new SqlExplainStatement(pos, o[0]));

  public final SqlNode statement;

  public SqlExplainStatement(SqlParserPos pos, SqlNode statement) {
    super(pos);
    this.statement = statement;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(statement);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("EXPLAIN");
    writer.newlineAndIndent();
    statement.unparse(writer, 0, 0);
  }
}
