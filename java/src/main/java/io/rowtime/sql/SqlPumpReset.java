package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlTimestampLiteral;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code RESET [FROM EARLIEST | FROM TIMESTAMP '…' | KEEP POSITION] [DROP STATE] [ALLOW DUPLICATES]} of CREATE PUMP and ALTER
 * PUMP: what becomes of the pump's saved state and position.
 */
public final class SqlPumpReset extends SqlCall {
  /** Where the pump begins to read: with the rows that arrive from then on, with all rows that its sources hold, with those
   * from a ROWTIME on, or where it has stopped. */
  public enum From { NOW, EARLIEST, TIMESTAMP, POSITION }

  private static final SqlOperator OPERATOR =
      new NodeOperator("RESET", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlPumpReset(pos, NodeOperator.symbol(o[0], From.class), (SqlTimestampLiteral) o[1], NodeOperator.flag(o[2]),
              NodeOperator.flag(o[3])));

  public final From from;
  /** The ROWTIME of {@link From#TIMESTAMP}; null otherwise. */
  public final SqlTimestampLiteral time;
  /** Whether the rows of the state, and those that were not read yet, may be lost. */
  public final boolean dropState;
  /** Whether rows may be written that the target has already. */
  public final boolean allowDuplicates;

  public SqlPumpReset(SqlParserPos pos, From from, SqlTimestampLiteral time, boolean dropState, boolean allowDuplicates) {
    super(pos);
    this.from = from;
    this.time = time;
    this.dropState = dropState;
    this.allowDuplicates = allowDuplicates;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(from), time, NodeOperator.flag(dropState), NodeOperator.flag(allowDuplicates));
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("RESET");
    switch (from) {
      case NOW -> { }
      case EARLIEST -> writer.keyword("FROM EARLIEST");
      case TIMESTAMP -> {
        writer.keyword("FROM");
        time.unparse(writer, 0, 0);
      }
      case POSITION -> writer.keyword("KEEP POSITION");
    }
    if (dropState) {
      writer.keyword("DROP STATE");
    }
    if (allowDuplicates) {
      writer.keyword("ALLOW DUPLICATES");
    }
  }
}
