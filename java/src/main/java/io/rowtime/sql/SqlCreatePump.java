package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code CREATE [OR REPLACE] PUMP [IF NOT EXISTS] name [STOPPED | STARTED] [OPTIONS (…)] AS INSERT INTO …}. */
public final class SqlCreatePump extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE PUMP", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlCreatePump(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              NodeOperator.flag(o[3]), (SqlNodeList) o[4], (SqlInsert) o[5]));

  public final SqlIdentifier name;
  /** Whether the pump starts at once; without a keyword it is stopped. */
  public final boolean started;
  /** {@link SqlOption}s; empty without OPTIONS. */
  public final SqlNodeList options;
  public final SqlInsert insert;

  public SqlCreatePump(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name, boolean started,
      SqlNodeList options, SqlInsert insert) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.started = started;
    this.options = options;
    this.insert = insert;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name,
        NodeOperator.flag(started), options, insert);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.PUMP, getReplace(), ifNotExists, name);
    writer.keyword(started ? "STARTED" : "STOPPED");
    Unparse.options(writer, options);
    Unparse.body(writer, insert);
  }
}
