package io.rowtime.validate;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.limits.Texts;
import io.rowtime.parse.OtherTypes;
import io.rowtime.validate.function.Counterparts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorException;

/** Converts exceptions of Calcite's validator to diagnostics. */
public final class ValidationErrors {

  /** Messages of one form; `said` is the message in words of ours, with the groups of the pattern, null if it stays as it is. */
  private record Rule(Pattern message, String code, String hint, String said) {
    Rule(String message, String code, String hint) {
      this(Pattern.compile(message, Pattern.DOTALL), code, hint, null);
    }

    String said(Matcher matcher) {
      return said == null ? matcher.group() : matcher.replaceFirst(said);
    }
  }

  private static final List<Rule> RULES = List.of(
      new Rule("Object '(.*)' not found.*", "RT0111", "check the name, or create it first; SHOW STREAMS and SHOW TABLES list the existing ones"),
      new Rule("Column '(WINDOW_TIME)' not found in .*", "RT0112", "the windows of TUMBLE, HOP and SESSION have WINDOW_START and WINDOW_END; "
          + "the last time in a window is WINDOW_END - INTERVAL '0.001' SECOND"),
      new Rule("Column '(.*)' not found in any table.*", "RT0112", "DESCRIBE shows the columns of a stream, table or view"),
      new Rule("Column '(.*)' not found in table.*", "RT0112", "DESCRIBE shows the columns of a stream, table or view"),
      new Rule("Column '(.*)' is ambiguous.*", "RT0112", "qualify it with the name of its table"),
      new Rule("Table '(.*)' not found.*", "RT0111", "check the name or alias"),
      new Rule("Expression '(.*)' is not being grouped", "RT0115", "add it to GROUP BY, or put it into an aggregate function"),
      new Rule("No match found for function signature (.*)", "RT0114", "check the function's name and the types of its arguments"),
      new Rule("Cannot apply '(-)' to arguments of type '<(?:DATE|TIMESTAMP.*)> - <(?:DATE|TIMESTAMP.*)>'.*", "RT0113",
          "give the unit of the difference: (a - b) SECOND, (a - b) DAY, or TIMESTAMPDIFF(SECOND, b, a)"),
      new Rule("Cannot apply '(.*)' to arguments of type.*", "RT0113", "CAST the arguments to types that the function takes"),
      new Rule("ASOF JOIN MATCH_CONDITION must be a (comparison) between columns.*", "RT0110", "compare plain columns; shift a time in a "
          + "sub-query, as in ASOF JOIN (SELECT STREAM ROWTIME + INTERVAL '1' HOUR AS ROWTIME, … FROM t) AS t"),
      new Rule("'(.*)' is not a valid time frame", "RT0110", "units of time are SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR and others"),
      new Rule("Unknown identifier '(.*)'", "RT0110", "check the name"),
      new Rule("Illegal (TIMESTAMP) literal .*", "RT0110", "write TIMESTAMP '2024-01-20 10:00:00', in UTC"),
      new Rule("Group function '(TUMBLE|HOP|SESSION)' can only appear in GROUP BY clause", "RT0110", "write it in GROUP BY, and _START or _END here, such as "
          + "TUMBLE_START(ROWTIME, INTERVAL '1' HOUR)"),
      new Rule("Invalid number of arguments to function '(TUMBLE|HOP|SESSION)'.*", "RT0110", "its first argument is the time, as in TUMBLE(ROWTIME, "
          + "INTERVAL '1' HOUR)"),
      new Rule("(OVER) clause is necessary for window functions", "RT0110", "write FIRST_VALUE(x) OVER (…), or for a group MIN_BY(x, ROWTIME) and "
          + "MAX_BY(x, ROWTIME)"),
      new Rule("(Values) passed to . (?:SOME|ALL) operator must have compatible types", "RT0110", "ARRAY_CONTAINS(array, value) looks into an array; elsewhere, CAST one of them"),
      new Rule(Pattern.compile("Function '(FIRST|LAST|PREV|NEXT)\\(.*' can only be used in MATCH_RECOGNIZE", Pattern.DOTALL), "RT0110",
          "MIN_BY(x, ROWTIME) is the first value of a group, and MAX_BY(x, ROWTIME) the last; LAG and LEAD read the rows around a row",
          "$1 can be used only in MATCH_RECOGNIZE"),
      new Rule("(WHERE|HAVING) clause must be a condition", "RT0110", "compare it, as in x <> 0"),
      new Rule("(String literal) continued on same line", "RT0110", "write a comma or || between the texts"),
      new Rule("Window '(.*)' not found.*", "RT0116", "define it in the WINDOW clause of the same SELECT"));

  private static final Set<String> UNITS = Set.of("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR",
      "DECADE", "CENTURY");

  private final CatalogSnapshot catalog;

  /** @param catalog the catalog in which similar names are searched */
  public ValidationErrors(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns the diagnostics for an exception of planning; none if it is not about the statement.
   *
   * @param place the position to use if the exception has none
   */
  public List<Diagnostic> of(Throwable e, SqlParserPos place) {
    SqlParserPos pos = place;
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof DiagnosticException d) {
        // Calcite converts the calls of an expression, and so the sub-queries in them, by reflection.
        return d.diagnostics();
      }
      if (t instanceof CalciteContextException context && context.getPosLine() > 0) {
        pos = new SqlParserPos(context.getPosLine(), context.getPosColumn(), context.getEndPosLine(), context.getEndPosColumn());
      }
      if (t instanceof SqlValidatorException || t instanceof CalciteException && t.getCause() == null) {
        return List.of(diagnostic(t.getMessage(), pos));
      }
      if (t instanceof CalciteContextException && t.getCause() == null) {
        return List.of(diagnostic(t.getMessage(), pos));
      }
    }
    return List.of();
  }

  private static final Pattern TABLE = Pattern.compile("Table '(.*)' not found");
  private static final int MAX_LENGTH = 1_000;
  private static final Pattern INTERNAL = Pattern.compile(
      "\\$(?:JOIN_)?(ROWTIME|HOP|TUMBLE|SESSION|PERCENTILE_CONT|PERCENTILE_DISC|AS_OF|DECODE|UNIX_TIMESTAMP|VERSIONS|KEY)\\b");

  private Diagnostic diagnostic(String said, SqlParserPos pos) {
    // The allowed forms of a function are on separate lines.
    String line = withoutInternalNames(said.replace("\n", " or "));
    // Calcite repeats a literal in full, however long it is.
    String message = line.length() <= MAX_LENGTH ? line
        : Texts.beginning(line, MAX_LENGTH / 2) + " … " + line.substring(line.length() - MAX_LENGTH / 4);
    for (Rule rule : RULES) {
      Matcher matcher = rule.message().matcher(message);
      if (matcher.matches()) {
        return Diagnostic.error(rule.code(), pos, rule.said(matcher), column(message).or(() -> similar(rule.code(), matcher.group(1))).orElse(rule.hint()));
      }
    }
    return Diagnostic.error("RT0110", pos, message, null);
  }

  /** Calcite and rowtime call operators by names such as $HOP if their own names are syntax. */
  public static String withoutInternalNames(String message) {
    return INTERNAL.matcher(message).replaceAll("$1");
  }

  /** Returns how to read a field of a column, if its name was taken for that of a table. */
  private Optional<String> column(String message) {
    Matcher table = TABLE.matcher(message);
    return !table.matches() ? Optional.empty() : catalog.objects().stream()
        .filter(o -> o.columns().stream().anyMatch(c -> c.name().equals(table.group(1)))).findFirst()
        .map(o -> "if it is a column, write its table first, as in " + o.name() + "." + table.group(1) + ".field");
  }

  /** Returns an existing name that is similar to one that was not found. */
  private Optional<String> similar(String code, String name) {
    if (code.equals("RT0110")) {
      String singular = name.toUpperCase(Locale.ROOT).replaceFirst("S$", "");
      return UNITS.contains(singular) ? Optional.of("write " + singular) : Optional.ofNullable(OtherTypes.hint(name));
    }
    if (code.equals("RT0114") && name.contains("(")) {
      return Optional.ofNullable(Counterparts.hint(name.substring(0, name.indexOf('('))));
    }
    Stream<String> names = switch (code) {
      case "RT0111" -> catalog.objects().stream().map(CatalogObject::name);
      case "RT0112" -> catalog.objects().stream().flatMap(o -> o.columns().stream()).map(CatalogColumn::name).distinct();
      default -> Stream.empty();
    };
    Optional<String> nearest = Spelling.nearest(name, names.filter(n -> !n.equalsIgnoreCase(name)).toList()).map(n -> "did you mean '" + n + "'?");
    // Only a name in double quotes keeps its lower case.
    boolean isQuoted = code.equals("RT0112") && !name.equals(name.toUpperCase(Locale.ROOT));
    return isQuoted ? Optional.of(nearest.map(hint -> hint + " ").orElse("") + "If it is text, write '" + name.replace("'", "''")
        + "': double quotes are for names") : nearest;
  }
}
