package io.rowtime.sql;

import java.util.List;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code CREATE [OR REPLACE] FUNCTION [IF NOT EXISTS] name (parameter type [DEFAULT e] | parameter TABLE, …) RETURNS
 * type | RETURNS TABLE (column type, …) LANGUAGE PYTHON | JAVA [[NOT] DETERMINISTIC] [OPTIONS (…)] AS 'location'}.
 */
public final class SqlCreateFunction extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE FUNCTION", SqlKind.CREATE_FUNCTION, (pos, o) ->
          new SqlCreateFunction(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              (SqlNodeList) o[3], (SqlDataTypeSpec) o[4], (SqlNodeList) o[5], (SqlIdentifier) o[6], NodeOperator.flag(o[7]),
              (SqlNodeList) o[8], (SqlLiteral) o[9]));

  public final SqlIdentifier name;
  /** Column declarations with a name, a type (see {@link SqlTableTypeNameSpec}) and optionally a DEFAULT. */
  public final SqlNodeList parameters;
  /** The type of a scalar function; null for a table function. */
  public final SqlDataTypeSpec returns;
  /** The column declarations of a table function, each with a name and a type; null for a scalar function. */
  public final SqlNodeList columns;
  public final SqlIdentifier language;
  /** Whether it returns the same result for the same arguments. */
  public final boolean deterministic;
  public final SqlNodeList options;
  /** A character literal: {@code 'module:function'}, {@code 'package.Class'}, {@code 'package.Class:method'}. */
  public final SqlLiteral body;

  public SqlCreateFunction(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name,
      SqlNodeList parameters, SqlDataTypeSpec returns, SqlNodeList columns, SqlIdentifier language, boolean deterministic,
      SqlNodeList options, SqlLiteral body) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.parameters = parameters;
    this.returns = returns;
    this.columns = columns;
    this.language = language;
    this.deterministic = deterministic;
    this.options = options;
    this.body = body;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name, parameters,
        returns, columns, language, NodeOperator.flag(deterministic), options, body);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.FUNCTION, getReplace(), ifNotExists, name);
    Unparse.list(writer, parameters);
    writer.keyword("RETURNS");
    if (columns == null) {
      returns.unparse(writer, 0, 0);
    } else {
      writer.keyword("TABLE");
      Unparse.list(writer, columns);
    }
    writer.keyword("LANGUAGE");
    language.unparse(writer, 0, 0);
    if (!deterministic) {
      writer.keyword("NOT DETERMINISTIC");
    }
    Unparse.options(writer, options);
    writer.keyword("AS");
    body.unparse(writer, 0, 0);
  }
}
