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

/** {@code LATENESS view.column expression}. */
public final class SqlLateness extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("LATENESS", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlLateness(pos, (SqlIdentifier) o[0], (SqlIdentifier) o[1], o[2]));

  public final SqlIdentifier view;
  /** A simple identifier. */
  public final SqlIdentifier column;
  public final SqlNode value;

  public SqlLateness(SqlParserPos pos, SqlIdentifier view, SqlIdentifier column, SqlNode value) {
    super(pos);
    this.view = view;
    this.column = column;
    this.value = value;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(view, column, value);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("LATENESS");
    view.plus(column.getSimple(), column.getParserPosition()).unparse(writer, 0, 0);
    value.unparse(writer, 0, 0);
  }
}
