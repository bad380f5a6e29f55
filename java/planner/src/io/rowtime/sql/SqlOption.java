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

/**
 * One entry of {@code OPTIONS (key 'value', …)} or {@code WITH ('key' = 'value', …)}.
 *
 * <p>Both forms give the same node. A key without quotes is folded to lower case.
 */
public final class SqlOption extends SqlCall {
  private static final SqlOperator OPERATOR =
      new NodeOperator("OPTION", SqlKind.OTHER, (pos, o) -> new SqlOption(pos, (SqlLiteral) o[0], (SqlLiteral) o[1]));

  /** A character literal. */
  public final SqlLiteral key;
  /** A character, numeric or boolean literal. */
  public final SqlLiteral value;

  public SqlOption(SqlParserPos pos, SqlLiteral key, SqlLiteral value) {
    super(pos);
    this.key = key;
    this.value = value;
  }

  /** Returns the key, without quotes. */
  public String keyText() {
    return key.toValue();
  }

  /** Returns the value as text: {@code files}, {@code 10}, {@code true}. */
  public String valueText() {
    return value.toValue();
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(key, value);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    key.unparse(writer, 0, 0);
    value.unparse(writer, 0, 0);
  }
}
