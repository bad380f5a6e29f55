package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
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

/** {@code CREATE [OR REPLACE] PUMP [IF NOT EXISTS] name [STOPPED | STARTED] [RESET …] [OPTIONS (…)] AS INSERT INTO … | MERGE INTO …}. */
public final class SqlCreatePump extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE PUMP", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlCreatePump(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              NodeOperator.flag(o[3]), (SqlPumpReset) o[4], (SqlNodeList) o[5], (SqlCall) o[6]));

  public final SqlIdentifier name;
  /** Whether the pump starts at once; without a keyword it is stopped. */
  public final boolean started;
  /** What becomes of the saved state and position of the pump that is replaced; null: this one continues from them. */
  public final SqlPumpReset reset;
  /** {@link SqlOption}s; empty without OPTIONS. */
  public final SqlNodeList options;
  /** An {@link SqlInsert}, or an {@link SqlMergeInto}, whose source is a query: a name stands for all rows of a stream. */
  public final SqlCall body;

  public SqlCreatePump(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name, boolean started,
      SqlPumpReset reset, SqlNodeList options, SqlCall body) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.started = started;
    this.reset = reset;
    this.options = options;
    this.body = body instanceof SqlMergeInto merge ? merge.streaming() : body;
  }

  /** Returns the statement without RESET, which says nothing about the pump that it creates. */
  public SqlCreatePump withoutReset() {
    return new SqlCreatePump(pos, getReplace(), ifNotExists, name, started, null, options, body);
  }

  /** Returns the query whose rows it writes. */
  public SqlNode source() {
    return body instanceof SqlMergeInto merge ? merge.query() : ((SqlInsert) body).getSource();
  }

  /** Returns what stands for the name of its target. */
  public SqlNode target() {
    return body instanceof SqlMergeInto merge ? merge.target : ((SqlInsert) body).getTargetTable();
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name,
        NodeOperator.flag(started), reset, options, body);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.PUMP, getReplace(), ifNotExists, name);
    writer.keyword(started ? "STARTED" : "STOPPED");
    if (reset != null) {
      reset.unparse(writer, 0, 0);
    }
    Unparse.options(writer, options);
    Unparse.body(writer, body);
  }
}
