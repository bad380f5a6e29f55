package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.Connector;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The option {@code mode 'realtime'} of a pump, and the hint REALTIME in the query that it stores: each row goes on by itself, in
 * Spark's real-time mode. This decides which pumps can: those whose query needs no other row, and whose source and target take
 * rows one by one.
 */
final class RealTime {
  static final String OPTION = "mode";
  static final String MODE = "realtime";
  static final String INTERVAL = "commit_interval";
  private static final String HINT = "REALTIME";
  private static final String CODE = "RT0347";
  private static final String WAY_OUT = "leave out mode 'realtime': in micro-batches, the pump can do this";
  /** Milliseconds: how often the position is recorded by default, and at most. Spark allows no less. */
  private static final long DEFAULT_INTERVAL = 30_000;
  private static final long LEAST_INTERVAL = 5_000;
  /** The functions that have one value for a micro-batch, whenever its rows have come. */
  private static final Set<String> CLOCKS = Set.of("CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIME");

  private final CatalogSnapshot catalog;
  private final List<Diagnostic> errors = new ArrayList<>();
  private SqlParserPos query;

  RealTime(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  static boolean isMode(String value) {
    return value.trim().equalsIgnoreCase(MODE);
  }

  static boolean isHint(SqlHint hint) {
    return hint.getName().equalsIgnoreCase(HINT);
  }

  /** Returns the hint that asks for the same as the options; {@code interval} may be null. */
  static SqlHint hint(String interval) {
    SqlIdentifier name = new SqlIdentifier(HINT, SqlParserPos.ZERO);
    return interval == null ? new SqlHint(SqlParserPos.ZERO, name, SqlNodeList.EMPTY, SqlHint.HintOptionFormat.EMPTY)
        : new SqlHint(SqlParserPos.ZERO, name, SqlNodeList.of(SqlLiteral.createCharString(interval.trim(), SqlParserPos.ZERO)),
            SqlHint.HintOptionFormat.LITERAL_LIST);
  }

  /** Adds an error if the position cannot be recorded that often; {@code interval} may be null. */
  static void checkInterval(String interval, SqlParserPos place, List<Diagnostic> errors) {
    Long millis = interval == null ? Long.valueOf(DEFAULT_INTERVAL) : Durations.millis(interval.trim());
    if (millis == null || millis < LEAST_INTERVAL) {
      errors.add(Diagnostic.error("RT0311", place, INTERVAL + " is a duration of 5 seconds or more, not '" + interval + "'",
          "for example OPTIONS (" + OPTION + " '" + MODE + "', " + INTERVAL + " '30 SECONDS')"));
    }
  }

  private static long millis(SqlHint hint) {
    return hint.getOptionList().isEmpty() ? DEFAULT_INTERVAL : Durations.millis(hint.getOptionList().get(0).trim());
  }

  /** Returns whether a pump runs in real time. */
  static boolean isOf(CatalogObject pump) {
    return isMode(pump.options().getOrDefault(OPTION, ""));
  }

  /** Returns the error for a query that is not that of a pump. */
  static DiagnosticException onlyPumps(SqlParserPos place) {
    return new DiagnosticException(CODE, place, "Only a pump runs in real time",
        "CREATE PUMP … OPTIONS (mode 'realtime') AS INSERT INTO … writes the rows to a topic");
  }

  /**
   * Makes the rows of an INSERT go on one by one.
   *
   * @param place where the target is named
   * @param hint the hint of the query
   * @throws DiagnosticException with all reasons why they cannot
   */
  void check(PlanResult outcome, CatalogObject target, SqlParserPos place, SqlHint hint) {
    query = hint.getParserPosition().getLineNum() == 0 ? place : hint.getParserPosition();
    if (!hint.getOptionList().isEmpty()) {
      checkInterval(hint.getOptionList().get(0), query, errors);
    }
    checkTarget(target, place, outcome);
    checkNode(outcome.root());
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    outcome.realTime(millis(hint));
  }

  private void checkTarget(CatalogObject target, SqlParserPos place, PlanResult outcome) {
    String what = target.kind().toLowerCase(Locale.ROOT) + " '" + target.name() + "'";
    if (!target.isForeign()) {
      refuse(place, "A pump in real time cannot write to " + what + ": the warehouse takes the rows of a micro-batch together, each once",
          "write to a foreign stream whose connector is " + connectors());
    } else if (!target.connector().realTime()) {
      refuse(place, "A pump in real time cannot write to " + what + ": connector '" + target.connector().name() + "' takes the rows of a micro-batch together",
          "write to a foreign stream whose connector is " + connectors());
    } else if (target.connector().hasUpserts(target.options())) {
      refuse(place, "A pump in real time cannot write to " + what + ": its rows replace others, and those of one key are put together first",
          "write to one with another format than '" + target.options().get("format") + "'");
    }
    outcome.json().path("target").path("defaults").forEach(value -> {
      if (CLOCKS.stream().anyMatch(value.toString()::contains)) {
        refuse(place, "A pump in real time has no current time, which is the DEFAULT of a column of " + what, "fill the column");
      }
    });
  }

  private void checkNode(PhysicalNode physical) {
    PlanNode node = physical.node();
    switch (node.kind()) {
      case SCAN -> checkSource((Operator.Scan) node.operator(), node);
      case FILTER -> checkExpression(((Operator.Filter) node.operator()).condition(), node);
      case PROJECT -> ((Operator.Project) node.operator()).exprs().forEach(expression -> checkExpression(expression, node));
      case UNNEST -> ((Operator.Unnest) node.operator()).exprs().forEach(expression -> checkExpression(expression, node));
      case HOP, LATENESS -> { }
      case LOOKUP_JOIN -> refuse(node, "reads the other rows once for each micro-batch");
      case SEARCH_KEY -> refuse(node, "looks up the keys of a micro-batch together");
      case UNION -> refuse(node, "merges sources, of which each would wait for the others");
      default -> refuse(node, "keeps rows or results until others have come");
    }
    physical.inputs().forEach(this::checkNode);
  }

  private void checkSource(Operator.Scan scan, PlanNode node) {
    CatalogObject source = catalog.find(scan.source());
    String what = source.kind().toLowerCase(Locale.ROOT) + " '" + source.name() + "'";
    if (scan.mode() != Operator.Scan.Mode.STREAM) {
      return;
    }
    if (!source.isForeign() || !source.connector().realTime()) {
      refuse(place(node), "A pump in real time cannot read " + what + ": "
          + (source.isForeign() ? "connector '" + source.connector().name() + "' reads" : "its log is read") + " in micro-batches",
          "read a foreign stream whose connector is " + connectors());
      return;
    }
    if (scan.holdsRows()) {
      refuse(place(node), "A pump in real time cannot read " + what + ": by the WATERMARK of its ROWTIME, rows wait for later ones",
          "declare a LATENESS in its place");
    }
    source.columns().stream().filter(column -> column.monotonic() != null).map(CatalogColumn::name).findFirst().ifPresent(name ->
        refuse(place(node), "A pump in real time cannot read " + what + ": its column " + name
            + " is MONOTONIC, so the rows of a micro-batch are put in order first", "declare a LATENESS of the column in its place"));
  }

  private void checkExpression(Expression expression, PlanNode node) {
    if (expression instanceof Expression.Call call && CLOCKS.contains(call.op())) {
      refuse(place(node), "A pump in real time has no " + call.op() + ": it is the time at which a micro-batch begins",
          "the option timestamp of a topic fills a column with the time of the record");
    } else if (expression instanceof Expression.FunctionCall call && call.language().equalsIgnoreCase("PYTHON")) {
      refuse(place(node), "A pump in real time cannot call function '" + call.name() + "': rows go to Python together",
          "write the function in Java, or leave out mode 'realtime'");
    }
    expression.args().forEach(arg -> checkExpression(arg, node));
  }

  private void refuse(PlanNode node, String why) {
    refuse(place(node), "A pump in real time cannot have " + words(node) + ": it " + why, WAY_OUT);
  }

  private void refuse(SqlParserPos place, String message, String wayOut) {
    if (errors.stream().noneMatch(error -> error.message().equals(message))) {
      errors.add(Diagnostic.error(CODE, place, message, wayOut));
    }
  }

  private static String words(PlanNode node) {
    return switch (node.kind()) {
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE -> "a GROUP BY";
      case SORT -> "an ORDER BY";
      case WINDOW, UPDATING_OVER -> "a function with OVER";
      case TOP_N, UPDATING_TOP_N -> "the first rows of a partition";
      case JOIN, INTERVAL_JOIN, UPDATING_JOIN, LOOKUP_JOIN, TEMPORAL_JOIN -> "a join";
      case SEARCH_KEY -> "SEARCH_KEY";
      case UNION -> "a UNION ALL";
      case TO_CHANGELOG, FROM_CHANGELOG -> node.kind().name();
      case PROCESS -> "a process function";
      case SESSION -> "SESSION";
      default -> "this";
    };
  }

  private SqlParserPos place(PlanNode node) {
    if (node.origin().isEmpty()) {
      return query;
    }
    Place place = node.origin().get(0);
    return new SqlParserPos(place.line(), place.column(), place.endLine(), place.endColumn());
  }

  private static String connectors() {
    return Connector.all().filter(Connector::realTime).map(each -> "'" + each.name() + "'").collect(Collectors.joining(" or "));
  }
}
