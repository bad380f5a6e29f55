package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code WHEN MATCHED [AND …] THEN UPDATE SET … | DELETE} or {@code WHEN NOT MATCHED [AND …] THEN INSERT [(…)] VALUES (…)} of a
 * {@link SqlMergeInto}.
 */
public final class SqlMergeClause extends SqlCall {
  /** What becomes of a row. An INSERT is for a row of the source that matches none. */
  public enum Action { UPDATE, DELETE, INSERT }

  private static final SqlOperator OPERATOR =
      new NodeOperator("WHEN", SqlKind.OTHER, (pos, o) ->
          new SqlMergeClause(pos, NodeOperator.symbol(o[0], Action.class), o[1], (SqlNodeList) o[2], (SqlNodeList) o[3]));

  public final Action action;
  /** Null: the clause is for all rows. */
  public final SqlNode condition;
  /** The columns that get {@link #values}; null for all of them. */
  public final SqlNodeList columns;
  public final SqlNodeList values;

  public SqlMergeClause(SqlParserPos pos, Action action, SqlNode condition, SqlNodeList columns, SqlNodeList values) {
    super(pos);
    this.action = action;
    this.condition = condition;
    this.columns = columns;
    this.values = values;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(action), condition, columns, values);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.newlineAndIndent();
    writer.keyword(action == Action.INSERT ? "WHEN NOT MATCHED" : "WHEN MATCHED");
    if (condition != null) {
      writer.keyword("AND");
      condition.unparse(writer, 0, 0);
    }
    writer.keyword("THEN");
    switch (action) {
      case UPDATE -> {
        writer.keyword("UPDATE");
        unparseSet(writer);
      }
      case DELETE -> writer.keyword("DELETE");
      case INSERT -> {
        writer.keyword("INSERT");
        if (columns != null) {
          Unparse.list(writer, columns);
        }
        writer.keyword("VALUES");
        Unparse.list(writer, values);
      }
    }
  }

  /** Writes {@code SET a = 1, b = 2}. */
  void unparseSet(SqlWriter writer) {
    writer.keyword("SET");
    for (int i = 0; i < columns.size(); i++) {
      if (i > 0) {
        writer.print(",");
        writer.setNeedWhitespace(true);
      }
      columns.get(i).unparse(writer, 0, 0);
      writer.keyword("=");
      values.get(i).unparse(writer, 0, 0);
    }
  }
}
