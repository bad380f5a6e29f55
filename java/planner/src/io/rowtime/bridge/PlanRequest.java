package io.rowtime.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.ParseError;
import io.rowtime.parse.ParseErrors;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.statement.PlanResult;
import io.rowtime.statement.Statements;
import io.rowtime.validate.ErrorRecovery;
import io.rowtime.validate.Environment;
import io.rowtime.validate.ResultNames;
import io.rowtime.validate.ValidationErrors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Plans one statement, and reports as many errors as possible. */
final class PlanRequest {
  /** The maximum number of errors that are reported at once. */
  private static final int MAX_ERRORS = 20;

  private final Environment environment;
  private final String sql;
  private final JsonNode parameters;
  private final List<Diagnostic> errors = new ArrayList<>();
  private PlanResult result;

  /**
   * Creates a request for one statement.
   *
   * @param parameters the values of its parameters, see {@link Bindings}
   */
  PlanRequest(Environment environment, String sql, JsonNode parameters) {
    this.environment = environment;
    this.sql = sql;
    this.parameters = parameters;
  }

  /** Returns the planned statement; null if it has errors. */
  PlanResult result() {
    return result;
  }

  /** Plans the statement, and returns its diagnostics in order of position. */
  List<Diagnostic> run() {
    try {
      SqlNode statement = Bindings.bind(Parsers.parseStatement(sql), parameters);
      while (plan(statement) && errors.size() < MAX_ERRORS) {
        // Validation changes the tree, so each attempt needs its own.
        statement = Bindings.bind(Parsers.parseStatement(sql), parameters);
        for (Diagnostic error : errors) {
          if (!ErrorRecovery.blank(statement, place(error))) {
            return inOrder(errors);
          }
        }
      }
    } catch (SqlParseException e) {
      errors.add(syntax(ParseErrors.of(sql, e)));
    } catch (DiagnosticException e) {
      errors.addAll(e.diagnostics());
    }
    return inOrder(result == null ? errors : result.warnings());
  }

  /** Plans a query that another program has converted, from the JSON of Calcite's RelJsonWriter. */
  List<Diagnostic> run(String relJson) {
    try {
      result = PlanResult.select(new QueryPlanner(environment).plan(relJson));
      return inOrder(result.warnings());
    } catch (RuntimeException | AssertionError e) {
      return diagnostics(e, SqlParserPos.ZERO);
    }
  }

  private static List<Diagnostic> inOrder(List<Diagnostic> diagnostics) {
    return diagnostics.stream().sorted(Comparator.comparingInt(Diagnostic::line).thenComparingInt(Diagnostic::column)).toList();
  }

  /** Plans the statement without its known errors. Returns whether this found new ones. */
  private boolean plan(SqlNode statement) {
    List<Diagnostic> found;
    try {
      PlanResult planned = new Statements(environment).plan(statement);
      result = errors.isEmpty() ? planned : null;
      return false;
    } catch (RuntimeException | AssertionError e) {
      // Calcite throws AssertionErrors for input that its own parser would have rejected.
      found = diagnostics(e, statement.getParserPosition());
    }
    boolean first = errors.isEmpty();
    List<Diagnostic> added = found.stream()
        .filter(d -> first || !d.code().equals("RT0999") && errors.stream().noneMatch(o -> place(o).equals(place(d))))
        .toList();
    errors.addAll(added);
    return !added.isEmpty();
  }

  private List<Diagnostic> diagnostics(Throwable e, SqlParserPos place) {
    if (e instanceof DiagnosticException d) {
      return d.diagnostics();
    }
    List<Diagnostic> known = new ValidationErrors(environment.catalog()).of(e, place);
    return known.isEmpty() ? List.of(Diagnostic.fault(e)) : known.stream().map(this::explained).toList();
  }

  private Diagnostic explained(Diagnostic diagnostic) {
    try {
      return sql.isEmpty() ? diagnostic : ResultNames.explain(diagnostic, Parsers.parseStatement(sql));
    } catch (SqlParseException e) {
      return diagnostic;
    }
  }

  static Diagnostic syntax(ParseError e) {
    return new Diagnostic(Diagnostic.Severity.ERROR, e.code(), e.message(), e.line(), e.column(), e.endLine(), e.endColumn(), e.hint());
  }

  private static SqlParserPos place(Diagnostic d) {
    return new SqlParserPos(d.line(), d.column(), d.endLine(), d.endColumn());
  }
}
