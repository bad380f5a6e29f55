package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code SHOW STREAMS | FOREIGN STREAMS | TABLES | FOREIGN TABLES | VIEWS | MATERIALIZED VIEWS | PUMPS | FUNCTIONS [LIKE 'pattern']}. */
public final class SqlShow extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("SHOW", SqlKind.OTHER, (pos, o) ->
          new SqlShow(pos, NodeOperator.symbol(o[0], ObjectKind.class), (SqlLiteral) o[1]));

  public final ObjectKind what;
  /** Null without LIKE. */
  public final SqlLiteral like;

  public SqlShow(SqlParserPos pos, ObjectKind what, SqlLiteral like) {
    super(pos);
    this.what = what;
    this.like = like;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(what), like);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("SHOW");
    writer.keyword(what.plural());
    if (like != null) {
      writer.keyword("LIKE");
      like.unparse(writer, 0, 0);
    }
  }
}
