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

/** {@code CREATE [OR REPLACE] MATERIALIZED VIEW [IF NOT EXISTS] name [(column, …)] [OPTIONS (…)] AS query}. */
public final class SqlCreateMaterializedView extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE MATERIALIZED VIEW", SqlKind.CREATE_MATERIALIZED_VIEW, (pos, o) ->
          new SqlCreateMaterializedView(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              (SqlNodeList) o[3], (SqlNodeList) o[4], o[5]));

  public final SqlIdentifier name;
  /** Simple identifiers; null if the column names are those of the query. */
  public final SqlNodeList columns;
  /** {@link SqlOption}s; empty without OPTIONS. */
  public final SqlNodeList options;
  public final SqlNode query;

  public SqlCreateMaterializedView(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name,
      SqlNodeList columns, SqlNodeList options, SqlNode query) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.columns = columns;
    this.options = options;
    this.query = query;
  }

  /** Returns the statement that is valid whether or not the view exists. */
  public SqlCreateMaterializedView asReplacement() {
    return new SqlCreateMaterializedView(pos, true, false, name, columns, options, query);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name, columns,
        options, query);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.MATERIALIZED_VIEW, getReplace(), ifNotExists, name);
    if (columns != null) {
      Unparse.list(writer, columns);
    }
    Unparse.options(writer, options);
    Unparse.body(writer, query);
  }
}
