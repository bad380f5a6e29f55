package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code [CONSTRAINT name] PRIMARY KEY (column, …)} among the columns of a stream or table. */
public final class SqlPrimaryKeyConstraint extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("PRIMARY KEY", SqlKind.PRIMARY_KEY, (pos, o) ->
          new SqlPrimaryKeyConstraint(pos, (SqlIdentifier) o[0], (SqlNodeList) o[1]));

  /** Null if the constraint has no name. */
  public final SqlIdentifier name;
  /** Simple identifiers. */
  public final SqlNodeList columns;

  public SqlPrimaryKeyConstraint(SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super(pos);
    this.name = name;
    this.columns = columns;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, columns);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    if (name != null) {
      writer.keyword("CONSTRAINT");
      name.unparse(writer, 0, 0);
    }
    writer.keyword("PRIMARY KEY");
    columns.unparse(writer, 1, 1);
  }
}
