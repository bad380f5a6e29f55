package io.rowtime.plan.convert;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/**
 * Explains assertion errors that a NULL without a type causes. Calcite's validator and converter may derive different
 * types for a call that contains it; the converter only asserts that they agree.
 */
public final class UntypedNulls {
  private static final String ASSERTED = "Conversion to relational algebra failed to preserve datatypes";

  private UntypedNulls() {}

  /** Throws RT0113 at the first NULL of a query that may be the cause of {@code fault}. */
  public static void blame(AssertionError fault, SqlNode query) {
    if (fault.getMessage() == null || !fault.getMessage().startsWith(ASSERTED)) {
      return;
    }
    SqlNode found = first(query);
    if (found != null) {
      throw new DiagnosticException("RT0113", found.getParserPosition(), "The type of this NULL cannot be inferred",
          "give it a type: CAST(NULL AS INTEGER)");
    }
  }

  private static SqlNode first(SqlNode query) {
    try {
      query.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlLiteral literal) {
          if (literal.getTypeName() == SqlTypeName.NULL) {
            throw new Util.FoundOne(literal);
          }
          return null;
        }
      });
      return null;
    } catch (Util.FoundOne e) {
      return (SqlNode) e.getNode();
    }
  }
}
