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
 * {@code CREATE [OR REPLACE] FUNCTION [IF NOT EXISTS] name (parameter type, …) RETURNS type LANGUAGE PYTHON | JAVA
 * [[NOT] DETERMINISTIC] AS 'where it is'}.
 */
public final class SqlCreateFunction extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new NodeOperator("CREATE FUNCTION", SqlKind.CREATE_FUNCTION, (pos, o) ->
          new SqlCreateFunction(pos, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              (SqlNodeList) o[3], (SqlDataTypeSpec) o[4], (SqlIdentifier) o[5], NodeOperator.flag(o[6]), (SqlLiteral) o[7]));

  public final SqlIdentifier name;
  /** Column declarations that have a name and a type. */
  public final SqlNodeList parameters;
  public final SqlDataTypeSpec returns;
  public final SqlIdentifier language;
  /** Whether it gives the same for the same arguments. */
  public final boolean deterministic;
  /** A character literal: {@code 'module:function'}, {@code 'package.Class'}, {@code 'package.Class:method'}. */
  public final SqlLiteral body;

  public SqlCreateFunction(SqlParserPos pos, boolean replace, boolean ifNotExists, SqlIdentifier name,
      SqlNodeList parameters, SqlDataTypeSpec returns, SqlIdentifier language, boolean deterministic, SqlLiteral body) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.parameters = parameters;
    this.returns = returns;
    this.language = language;
    this.deterministic = deterministic;
    this.body = body;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name, parameters,
        returns, language, NodeOperator.flag(deterministic), body);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, ObjectKind.FUNCTION, getReplace(), ifNotExists, name);
    Unparse.list(writer, parameters);
    writer.keyword("RETURNS");
    returns.unparse(writer, 0, 0);
    writer.keyword("LANGUAGE");
    language.unparse(writer, 0, 0);
    if (!deterministic) {
      writer.keyword("NOT DETERMINISTIC");
    }
    writer.keyword("AS");
    body.unparse(writer, 0, 0);
  }
}
