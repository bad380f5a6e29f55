package io.rowtime.catalog;

import io.rowtime.parse.Parsers;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;

/** Parses SQL texts from the catalog. The planner wrote them, so a text that cannot be parsed is damaged. */
public final class StoredSql {
  private StoredSql() {}

  /** Returns the query of a view, as a new tree each time because planning changes it. */
  public static SqlNode query(CatalogObject view) {
    try {
      return Parsers.parseStatement(view.query());
    } catch (SqlParseException e) {
      throw damaged("the query of '" + view.name() + "'", e);
    }
  }

  /** Returns the CREATE statement of an object. */
  public static SqlNode definition(CatalogObject object) {
    try {
      return Parsers.parseStatement(object.sql());
    } catch (SqlParseException e) {
      throw damaged("the definition of '" + object.name() + "'", e);
    }
  }

  /** Returns a statement whose parts are from the catalog. */
  public static SqlNode statement(String sql) {
    try {
      return Parsers.parseStatement(sql);
    } catch (SqlParseException e) {
      throw damaged("the statement " + sql, e);
    }
  }

  /** Returns an expression, such as the LATENESS of a column. */
  public static SqlNode expression(String sql) {
    try {
      return Parsers.parseExpression(sql);
    } catch (SqlParseException e) {
      throw damaged("the expression " + sql, e);
    }
  }

  /** Returns a type as {@link TypeText} writes it: an SqlDataTypeSpec, or an SqlIntervalQualifier. */
  public static SqlNode type(String text) {
    return ((SqlCall) expression("CAST(NULL AS " + text + ")")).operand(1);
  }

  private static IllegalStateException damaged(String what, SqlParseException cause) {
    return new IllegalStateException("The catalog is damaged: " + what + " does not parse", cause);
  }
}
