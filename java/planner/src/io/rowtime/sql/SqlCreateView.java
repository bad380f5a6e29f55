package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code CREATE [OR REPLACE] VIEW [IF NOT EXISTS] name [(column, …)] AS query}. */
public final class SqlCreateView extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE VIEW", SqlKind.CREATE_VIEW, (pos, o) ->
          new SqlCreateView(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              (SqlNodeList) o[3], o[4]));

  public final SqlIdentifier name;
  /** Simple identifiers; null if the view's column names are those of the query. */
  public final SqlNodeList columns;
  public final SqlNode query;

  public SqlCreateView(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name, SqlNodeList columns,
      SqlNode query) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.columns = columns;
    this.query = query;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name, columns,
        query);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.VIEW, getReplace(), ifNotExists, name);
    if (columns != null) {
      Unparse.list(writer, columns);
    }
    Unparse.body(writer, query);
  }
}
