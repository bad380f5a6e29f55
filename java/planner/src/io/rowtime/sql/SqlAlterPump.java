package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code ALTER PUMP name START | STOP | PAUSE | RESUME [RESET … | SKIP]}, {@code ALTER PUMP name [DROP] SAVE 'save'}, {@code ALTER
 * PUMP name REPLACE WITH successor}.
 */
public final class SqlAlterPump extends SqlCall {
  /** The action on the pump. */
  public enum Verb { START, STOP, PAUSE, RESUME, SAVE, DROP_SAVE, REPLACE }

  private static final SqlOperator OPERATOR =
      new NodeOperator("ALTER PUMP", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlAlterPump(pos, (SqlIdentifier) o[0], NodeOperator.symbol(o[1], Verb.class), (SqlPumpReset) o[2],
              (SqlLiteral) o[3], NodeOperator.flag(o[4]), (SqlIdentifier) o[5]));

  public final SqlIdentifier name;
  public final Verb verb;
  /** What becomes of the saved state and position (after START and RESUME); null: the pump continues from them. */
  public final SqlPumpReset reset;
  /** The name of the savepoint that is made or dropped; null for other verbs. */
  public final SqlLiteral save;
  /** Whether the pump steps over the row at which it has failed (after START and RESUME). */
  public final boolean skip;
  /** The pump that takes over; null for other verbs. */
  public final SqlIdentifier successor;

  public SqlAlterPump(SqlParserPos pos, SqlIdentifier name, Verb verb, SqlPumpReset reset, SqlLiteral save, boolean skip,
      SqlIdentifier successor) {
    super(pos);
    this.name = name;
    this.verb = verb;
    this.reset = reset;
    this.save = save;
    this.skip = skip;
    this.successor = successor;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, NodeOperator.symbol(verb), reset, save, NodeOperator.flag(skip), successor);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER PUMP");
    name.unparse(writer, 0, 0);
    writer.keyword(verb.name().replace('_', ' '));
    if (reset != null) {
      reset.unparse(writer, 0, 0);
    }
    if (save != null) {
      save.unparse(writer, 0, 0);
    }
    if (skip) {
      writer.keyword("SKIP");
    }
    if (successor != null) {
      writer.keyword("WITH");
      successor.unparse(writer, 0, 0);
    }
  }
}
