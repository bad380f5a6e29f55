package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlTimestampLiteral;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code RESET [FROM EARLIEST | FROM TIMESTAMP '…' | KEEP POSITION] [DROP STATE] [ALLOW DUPLICATES]} of CREATE PUMP and ALTER
 * PUMP, or {@code FROM OFFSETS (source => offset, …)} or {@code FROM SAVE 'name'} in its place: what becomes of the pump's saved
 * state and position.
 */
public final class SqlPumpReset extends SqlCall {
  /** Where the pump begins to read: with the rows that arrive from then on, with all rows that its sources hold, with those
   * from a ROWTIME on, where it has stopped, at offsets of its sources, or at a savepoint, with its state. */
  public enum From { NOW, EARLIEST, TIMESTAMP, POSITION, OFFSETS, SAVE }

  private static final SqlOperator OPERATOR =
      new NodeOperator("RESET", SqlKind.OTHER_DDL, (pos, o) ->
          new SqlPumpReset(pos, NodeOperator.symbol(o[0], From.class), o[1], NodeOperator.flag(o[2]), NodeOperator.flag(o[3])));

  public final From from;
  /** The ROWTIME of {@link From#TIMESTAMP}, the arguments of {@link From#OFFSETS}, or the name of {@link From#SAVE}; null
   * otherwise. */
  public final SqlNode place;
  /** Whether the rows of the state, and those that were not read yet, may be lost. */
  public final boolean dropState;
  /** Whether rows may be written that the target has already. */
  public final boolean allowDuplicates;

  public SqlPumpReset(SqlParserPos pos, From from, SqlNode place, boolean dropState, boolean allowDuplicates) {
    super(pos);
    this.from = from;
    this.place = place;
    this.dropState = dropState;
    this.allowDuplicates = allowDuplicates;
  }

  /** Returns the ROWTIME of {@link From#TIMESTAMP}. */
  public SqlTimestampLiteral time() {
    return (SqlTimestampLiteral) place;
  }

  /** Returns the arguments of {@link From#OFFSETS}: calls of {@code =>} with an offset and the name of its source. */
  public SqlNodeList offsets() {
    return (SqlNodeList) place;
  }

  /** Returns the name of {@link From#SAVE}. */
  public SqlLiteral save() {
    return (SqlLiteral) place;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(from), place, NodeOperator.flag(dropState), NodeOperator.flag(allowDuplicates));
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    if (from != From.OFFSETS && from != From.SAVE) {
      writer.keyword("RESET");
    }
    switch (from) {
      case NOW -> { }
      case EARLIEST -> writer.keyword("FROM EARLIEST");
      case TIMESTAMP -> {
        writer.keyword("FROM");
        place.unparse(writer, 0, 0);
      }
      case POSITION -> writer.keyword("KEEP POSITION");
      case OFFSETS -> {
        writer.keyword("FROM OFFSETS");
        Unparse.list(writer, offsets());
      }
      case SAVE -> {
        writer.keyword("FROM SAVE");
        place.unparse(writer, 0, 0);
      }
    }
    if (dropState) {
      writer.keyword("DROP STATE");
    }
    if (allowDuplicates) {
      writer.keyword("ALLOW DUPLICATES");
    }
  }
}
