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

/**
 * {@code COMMIT}, {@code ROLLBACK [TO SAVEPOINT name]}, {@code SAVEPOINT name}: parsed so that the error message can be
 * clear.
 */
public final class SqlTransaction extends SqlCall {
  /** The kind of statement. */
  public enum Action { COMMIT, ROLLBACK, SAVEPOINT }

  private static final SqlOperator OPERATOR =
      new NodeOperator("TRANSACTION", SqlKind.OTHER, (pos, o) ->
          new SqlTransaction(pos, NodeOperator.symbol(o[0], Action.class), (SqlIdentifier) o[1]));

  public final Action action;
  /** Null if the statement names no savepoint. */
  public final SqlIdentifier savepoint;

  public SqlTransaction(SqlParserPos pos, Action action, SqlIdentifier savepoint) {
    super(pos);
    this.action = action;
    this.savepoint = savepoint;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(action), savepoint);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(action.name());
    if (savepoint != null) {
      if (action == Action.ROLLBACK) {
        writer.keyword("TO SAVEPOINT");
      }
      savepoint.unparse(writer, 0, 0);
    }
  }
}
