package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.AstRewriter;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Util;

/** Rewrites constructs that the language allows and standard SQL does not. */
public final class Desugaring {
  private Desugaring() {}

  /** Rewrites a query, in place, to the form that the validator accepts. */
  public static SqlNode resolve(SqlNode query, CatalogSnapshot catalog) {
    ImpliedRowtime implied = new ImpliedRowtime(catalog, query);
    SqlNode plain = TableFunctionSyntax.normalise(StreamKeyword.strip(query), catalog);
    SqlNode rewritten = AstRewriter.rewrite(plain, node -> {
      if (node instanceof SqlSelect select) {
        WindowRefinement.resolve(select);
        FromWindows.resolve(select);
        SessionEnds.resolve(select);
        GroupedWindows.order(select);
        analyticWhere(select);
        ChangelogColumns.qualify(select);
        TemporalTables.resolve(select, catalog, implied::derivesFromRowtime);
        implied.complete(select);
        JoinRowtime.resolve(select, implied::derivesFromRowtime);
        return select;
      }
      return expression(node);
    });
    return rewritten;
  }

  private static SqlNode expression(SqlNode node) {
    if (node instanceof SqlCharStringLiteral text && text.getValueAs(NlsString.class).getCharset() != null) {
      // All text has one character set: U&'…' and _UTF16'…' would have another, which nothing can convert.
      return SqlLiteral.createCharString(text.getValueAs(NlsString.class).getValue(), text.getParserPosition());
    }
    if (node.getKind() == SqlKind.OVER && FromWindows.isItem((SqlCall) node)) {
      return node;
    }
    if (node.getKind() == SqlKind.OVER) {
      refuseSubQuery(((SqlCall) node).operand(0), "An analytic call");
      return AnalyticCalls.toPlainCall((SqlCall) node);
    }
    if (node instanceof SqlWindow window) {
      refuseSubQuery(window.getPartitionList(), "PARTITION BY of a window");
      FrameEndChecks.check(window);
      return node;
    }
    if (node instanceof SqlMatchRecognize match) {
      List.of(match.getMeasureList(), match.getPatternDefList()).forEach(Desugaring::refuseUnits);
      return node;
    }
    if (node.getKind() == SqlKind.ROW) {
      ((SqlCall) node).getOperandList().stream().filter(value -> value.getKind() == SqlKind.DEFAULT).findFirst().ifPresent(value -> {
        throw new DiagnosticException("RT0119", value.getParserPosition(), "DEFAULT is allowed only as the value of a column",
            "write the value");
      });
      return node;
    }
    if (node.getKind() == SqlKind.FILTER) {
      return FilteredAggregates.resolve((SqlCall) node);
    }
    if (node instanceof SqlCall call && call.getOperator() == SqlStdOperatorTable.PERCENTILE_CONT) {
      return RowtimeOperators.PERCENTILE_CONT_OF_GROUPS.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (node instanceof SqlCall call && call.getOperator() == SqlStdOperatorTable.PERCENTILE_DISC) {
      return RowtimeOperators.PERCENTILE_DISC_OF_GROUPS.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (node instanceof SqlWithItem item) {
      return RecursiveQueries.resolve(item);
    }
    if (node instanceof SqlCall call) {
      Patterns.check(call);
    }
    if (!(node instanceof SqlBasicCall call) || call.operandCount() != 2) {
      return node instanceof SqlBasicCall call ? familiar(call) : node;
    }
    if (call.getOperator() == SqlLibraryOperators.INFIX_CAST) {
      return SqlStdOperatorTable.CAST.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (call.getOperator() == SqlLibraryOperators.NULL_SAFE_EQUAL) {
      return SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (call.getOperator() == SqlStdOperatorTable.CONCAT) {
      return RowtimeOperators.CONCAT.createCall(call.getParserPosition(), call.getOperandList());
    }
    if (call.getOperator() instanceof SqlFunction) {
      ZoneNames.check(call);
      return familiar(call);
    }
    boolean plus = call.getKind() == SqlKind.PLUS;
    if ((plus || call.getKind() == SqlKind.MINUS) && isRowtime(call.operand(0))
        && call.operand(1) instanceof SqlNumericLiteral number && number.isInteger()) {
      return call.getOperator().createCall(call.getParserPosition(), call.operand(0), milliseconds(number));
    }
    return node;
  }

  private static SqlNode familiar(SqlCall call) {
    if (!(call.getOperator() instanceof SqlFunction)) {
      return call;
    }
    SqlNode named = OtherNames.resolve(call);
    return named == call ? OtherCalls.resolve(call) : named;
  }

  /**
   * Refuses units of time and windows among the arguments of a call in a pattern, for which Calcite's validator fails.
   */
  private static void refuseUnits(SqlNode node) {
    node.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call.getKind() == SqlKind.OVER || call.getOperandList().stream().anyMatch(SqlIntervalQualifier.class::isInstance)) {
          throw new DiagnosticException("RT0900", call.getParserPosition(),
              "not supported yet: OVER and functions with a unit of time in MATCH_RECOGNIZE", "compute the value in a sub-query in FROM");
        }
        return super.visit(call);
      }
    });
  }

  private static void refuseSubQuery(SqlNode node, String what) {
    node.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call.isA(SqlKind.QUERY)) {
          throw new DiagnosticException("RT0117", call.getParserPosition(), what + " cannot contain a sub-query",
              "compute its value in a sub-query in FROM");
        }
        return super.visit(call);
      }
    });
  }

  /** Converts {@code rowtime + 100} to a shift by 100 milliseconds. */
  private static SqlNode milliseconds(SqlNumericLiteral number) {
    SqlParserPos pos = number.getParserPosition();
    String seconds = number.bigDecimalValue().movePointLeft(3).setScale(3).toPlainString();
    return SqlLiteral.createInterval(1, seconds, new SqlIntervalQualifier(TimeUnit.SECOND, 10, null, 3, pos), pos);
  }

  /** Converts analytic calls in WHERE to QUALIFY: they are conditions on the rows after their windows. */
  private static void analyticWhere(SqlSelect select) {
    if (select.getWhere() == null || !hasOver(select.getWhere())) {
      return;
    }
    List<SqlNode> rows = new ArrayList<>();
    List<SqlNode> windows = new ArrayList<>();
    if (select.getQualify() != null) {
      windows.add(select.getQualify());
    }
    conjuncts(select.getWhere(), rows, windows);
    select.setWhere(and(rows));
    select.setQualify(and(windows));
  }

  private static void conjuncts(SqlNode condition, List<SqlNode> rows, List<SqlNode> windows) {
    if (condition.getKind() == SqlKind.AND) {
      ((SqlCall) condition).getOperandList().forEach(c -> conjuncts(c, rows, windows));
    } else {
      (hasOver(condition) ? windows : rows).add(condition);
    }
  }

  private static SqlNode and(List<SqlNode> conditions) {
    return conditions.stream()
        .reduce((a, b) -> SqlStdOperatorTable.AND.createCall(a.getParserPosition().plus(b.getParserPosition()), a, b))
        .orElse(null);
  }

  /** Returns whether an expression contains an analytic call, not counting those in sub-queries. */
  static boolean hasOver(SqlNode expression) {
    try {
      expression.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlCall call) {
          if (call.getKind() == SqlKind.OVER) {
            throw Util.FoundOne.NULL;
          }
          return call instanceof SqlSelect ? null : super.visit(call);
        }
      });
      return false;
    } catch (Util.FoundOne found) {
      return true;
    }
  }

  static boolean isRowtime(SqlNode node) {
    return node instanceof SqlIdentifier id && !id.isStar()
        && CatalogObject.ROWTIME.equalsIgnoreCase(Util.last(id.names));
  }
}
