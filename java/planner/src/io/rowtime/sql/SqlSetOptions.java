package io.rowtime.sql;

import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code ALTER … SET OPTIONS (…)}: the options that are given get these values; the others stay. */
public final class SqlSetOptions extends SqlAlterRelation {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = operators("SET", (pos, kind, o) ->
      new SqlSetOptions(pos, kind, (SqlIdentifier) o[0], (SqlNodeList) o[1]));

  /** {@link SqlOption}s. */
  public final SqlNodeList options;

  public SqlSetOptions(SqlParserPos pos, ObjectKind kind, SqlIdentifier name, SqlNodeList options) {
    super(pos, kind, name);
    this.options = options;
  }

  @Override public SqlOperator getOperator() {
    return OPERATORS.get(kind);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, options);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    unparse(writer, "SET");
    Unparse.options(writer, options);
  }
}
