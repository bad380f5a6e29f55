package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.RecursionAnchor;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/** Checks WITH RECURSIVE as far as the syntax tree allows; {@code RecursionRules} checks the plan. */
final class RecursiveQueries {
  private RecursiveQueries() {}

  /** Returns an item in the form that Calcite accepts: recursive only if its query names it, and with two queries. */
  static SqlWithItem resolve(SqlWithItem item) {
    if (!item.recursive.booleanValue()) {
      return item;
    }
    String name = item.name.getSimple();
    SqlParserPos pos = item.query.getParserPosition();
    if (place(item.query, name) == null) {
      item.recursive = SqlLiteral.createBoolean(false, item.recursive.getParserPosition());
      return item;
    }
    SqlNode body = item.query;
    while (body instanceof SqlWith with) {
      body = with.body;
    }
    if (body.getKind() != SqlKind.UNION) {
      throw refused(pos, "The query of " + name + " reads " + name + ", but is not a UNION");
    }
    SqlCall union = (SqlCall) body;
    SqlParserPos first = place(union.operand(0), name);
    if (first != null) {
      throw refused(first, "The first query of the UNION reads " + name + " itself");
    }
    union.setOperand(0, RecursionAnchor.of(union.operand(0)));
    return item;
  }

  private static DiagnosticException refused(SqlParserPos pos, String message) {
    return new DiagnosticException("RT0123", pos, message, "write a UNION [ALL] of two queries: one that returns the first rows, then"
        + " one that computes further rows from the latest ones");
  }

  /** Returns the position of a name in a query; null if it does not occur. */
  private static SqlParserPos place(SqlNode query, String name) {
    try {
      query.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlIdentifier id) {
          if (id.isSimple() && id.getSimple().equals(name)) {
            throw new Util.FoundOne(id.getParserPosition());
          }
          return null;
        }
      });
      return null;
    } catch (Util.FoundOne found) {
      return (SqlParserPos) found.getNode();
    }
  }
}
