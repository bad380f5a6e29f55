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

/** {@code SHOW SAVES [LIKE 'pattern']}: the savepoints of pumps whose names match the pattern. */
public final class SqlShowSaves extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("SHOW SAVES", SqlKind.OTHER, (pos, o) -> new SqlShowSaves(pos, (SqlLiteral) o[0]));

  /** Null without LIKE. */
  public final SqlLiteral like;

  public SqlShowSaves(SqlParserPos pos, SqlLiteral like) {
    super(pos);
    this.like = like;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(like);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("SHOW SAVES");
    if (like != null) {
      writer.keyword("LIKE");
      like.unparse(writer, 0, 0);
    }
  }
}
