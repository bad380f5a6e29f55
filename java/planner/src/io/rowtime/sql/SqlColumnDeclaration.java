package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * A column of CREATE STREAM or CREATE TABLE.
 *
 * <p>{@code name type [NOT NULL] [PRIMARY KEY] [MONOTONIC [INCREASING | DECREASING]] [DEFAULT e] [LATENESS e]
 * [WATERMARK e]}
 */
public final class SqlColumnDeclaration extends SqlCall {
  /** The direction of a MONOTONIC column. */
  public enum Monotonic { INCREASING, DECREASING }

  private static final SqlOperator OPERATOR =
      new NodeOperator("COLUMN", SqlKind.COLUMN_DECL, (pos, o) ->
          new SqlColumnDeclaration(pos, (SqlIdentifier) o[0], (SqlDataTypeSpec) o[1], NodeOperator.flag(o[2]),
              NodeOperator.symbol(o[3], Monotonic.class), o[4], o[5], o[6]));

  public final SqlIdentifier name;
  /** Its {@code getNullable()} is never null: false after NOT NULL, else true. */
  public final SqlDataTypeSpec type;
  /** Whether the column itself has PRIMARY KEY. */
  public final boolean primaryKey;
  /** Null without MONOTONIC. */
  public final Monotonic monotonic;
  /** Null without DEFAULT; the next two are null without their clause, too. */
  public final SqlNode defaultValue;
  public final SqlNode lateness;
  public final SqlNode watermark;

  public SqlColumnDeclaration(SqlParserPos pos, SqlIdentifier name, SqlDataTypeSpec type, boolean primaryKey,
      Monotonic monotonic, SqlNode defaultValue, SqlNode lateness, SqlNode watermark) {
    super(pos);
    this.name = name;
    this.type = type;
    this.primaryKey = primaryKey;
    this.monotonic = monotonic;
    this.defaultValue = defaultValue;
    this.lateness = lateness;
    this.watermark = watermark;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    // The last operand is for comparison only: Calcite treats types as equal that differ in NOT NULL.
    return ImmutableNullableList.of(name, type, NodeOperator.flag(primaryKey), NodeOperator.symbol(monotonic),
        defaultValue, lateness, watermark, NodeOperator.flag(Boolean.TRUE.equals(type.getNullable())));
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    name.unparse(writer, 0, 0);
    type.unparse(writer, 0, 0);
    if (Boolean.FALSE.equals(type.getNullable())) {
      writer.keyword("NOT NULL");
    }
    if (primaryKey) {
      writer.keyword("PRIMARY KEY");
    }
    if (monotonic != null) {
      writer.keyword("MONOTONIC " + monotonic);
    }
    clause(writer, "DEFAULT", defaultValue);
    clause(writer, "LATENESS", lateness);
    clause(writer, "WATERMARK", watermark);
  }

  private static void clause(SqlWriter writer, String keyword, SqlNode value) {
    if (value != null) {
      writer.keyword(keyword);
      value.unparse(writer, 0, 0);
    }
  }
}
