package io.rowtime.catalog;

import io.rowtime.parse.Parsers;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;

/** SQL texts that the catalog holds, parsed. They were written by the planner, so one that does not parse is damage. */
public final class StoredSql {
  private StoredSql() {}

  /** The query of a view, a new tree each time: planning changes it. */
  public static SqlNode query(CatalogObject view) {
    try {
      return Parsers.parseStatement(view.query());
    } catch (SqlParseException e) {
      throw damaged("the query of '" + view.name() + "'", e);
    }
  }

  /** The CREATE statement of an object. */
  public static SqlNode definition(CatalogObject object) {
    try {
      return Parsers.parseStatement(object.sql());
    } catch (SqlParseException e) {
      throw damaged("the definition of '" + object.name() + "'", e);
    }
  }

  /** An expression, such as the LATENESS of a column. */
  public static SqlNode expression(String sql) {
    try {
      return Parsers.parseExpression(sql);
    } catch (SqlParseException e) {
      throw damaged("the expression " + sql, e);
    }
  }

  /** A type, as {@link TypeText} writes it: an SqlDataTypeSpec, or an SqlIntervalQualifier. */
  public static SqlNode type(String text) {
    return ((SqlCall) expression("CAST(NULL AS " + text + ")")).operand(1);
  }

  private static IllegalStateException damaged(String what, SqlParseException cause) {
    return new IllegalStateException("The catalog is damaged: " + what + " does not parse", cause);
  }
}
