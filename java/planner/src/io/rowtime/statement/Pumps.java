package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlAlterPump;
import io.rowtime.sql.SqlCreatePump;
import io.rowtime.sql.SqlMergeInto;
import io.rowtime.sql.SqlOption;
import io.rowtime.sql.SqlPumpReset;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.TimestampString;

/** CREATE PUMP and ALTER PUMP. */
final class Pumps {
  /** The number of the operand of an SqlInsert that names columns. */
  private static final int COLUMNS = 3;
  private static final String NAMED = ", or the name of a stream or view in place of (SELECT STREAM …)";

  private final Environment environment;

  Pumps(Environment environment) {
    this.environment = environment;
  }

  PlanResult create(SqlCreatePump create) {
    requireQuery(create.body);
    String name = Names.fresh(create.name);
    String sql = SqlText.of(create.withoutReset());
    List<Diagnostic> errors = new ArrayList<>();
    Map<String, String> options = new Options(errors).of(ObjectKind.PUMP, create.options);
    handleErrors(create, options, errors);
    runInRealTime(create, options, errors);
    String query = SqlText.of(create.body);
    List<String> uses = Definition.uses(environment.catalog(), create.body);
    QueryHints hints = QueryHints.of(create.source());
    PlanResult outcome = body(create.body).within(StatementType.DEFINITION, "CREATE PUMP").object(name);
    query = naming(outcome, query);
    SqlParserPos hint = hints.partitionsPlace();
    if (hint != null && options.containsKey("partitions")) {
      errors.add(Diagnostic.error("RT0310", hint, "The number of partitions is given twice: in OPTIONS, and by this hint",
          "leave one of them out"));
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    CatalogObject pump = new CatalogObject(name, CatalogObject.PUMP, List.of(), List.of(), options, query, create.started, uses, sql);
    if (Definition.admit(environment.catalog(), pump, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      Definition.requireSameColumns(environment.catalog(), pump, create.name);
      outcome.change(reset(Definition.create(pump, create.getReplace()), create.reset));
    }
    if (feeds(outcome.json().get("target").get("name").asText(), uses(create), new HashSet<>())) {
      outcome.warn(Diagnostic.warning("RT0325", create.target().getParserPosition(),
          "Pump '" + name + "' feeds what it reads: its rows would circulate forever", "let it write to another stream"));
    }
    warnOfLostRows(pump, uses(create), create.name.getParserPosition(), outcome);
    return outcome;
  }

  /** Returns the text of an INSERT that names the columns that it fills: they stay the same when the target gets others. */
  private static String naming(PlanResult planned, String query) {
    if (!(StoredSql.statement(query) instanceof SqlInsert insert)) {
      return query;
    }
    if (insert.getTargetColumnList() != null) {
      return query;
    }
    List<SqlIdentifier> columns = new ArrayList<>();
    planned.json().get("target").get("columns").forEach(name -> columns.add(new SqlIdentifier(name.asText(), SqlParserPos.ZERO)));
    insert.setOperand(COLUMNS, new SqlNodeList(columns, SqlParserPos.ZERO));
    return SqlText.of(insert);
  }

  private static void requireQuery(SqlCall body) {
    if (body instanceof SqlInsert || body instanceof SqlMergeInto merge && merge.query() != null) {
      return;
    }
    SqlNode place = body instanceof SqlMergeInto merge ? merge.source : body;
    throw new DiagnosticException("RT0321", place.getParserPosition(), "A pump needs a streaming query",
        "write " + switch (body.getKind()) {
          case UPDATE -> "UPDATE t SET … FROM (SELECT STREAM …) AS s WHERE t.k = s.k" + NAMED;
          case DELETE -> "DELETE FROM t USING (SELECT STREAM …) AS s WHERE t.k = s.k" + NAMED;
          default -> "(SELECT STREAM …) AS s" + NAMED;
        });
  }

  /** Plans what a pump does. */
  PlanResult body(SqlNode body) {
    return body instanceof SqlMergeInto merge ? new PumpMerges(environment).plan(merge)
        : new Inserts(environment).insert((SqlInsert) body, true);
  }

  /** Adds the option {@code on_error} to the query, as a hint: so what a pump stores can be planned by itself. */
  private static void handleErrors(SqlCreatePump create, Map<String, String> options, List<Diagnostic> errors) {
    String onError = options.get(ErrorHandling.OPTION);
    if (onError == null || !errors.isEmpty()) {
      return;
    }
    QueryHints hints = QueryHints.of(create.source());
    if (hints.onErrorPlace() == null) {
      hints.add(ErrorHandling.hint(onError));
    } else {
      errors.add(Diagnostic.error("RT0310", hints.onErrorPlace(), "What becomes of errors is given twice: in OPTIONS, and by this hint",
          "leave one of them out"));
    }
  }

  /** Adds the option {@code mode} to the query, as a hint: what a pump stores is planned by itself when it runs. */
  private static void runInRealTime(SqlCreatePump create, Map<String, String> options, List<Diagnostic> errors) {
    String mode = options.get(RealTime.OPTION);
    String interval = options.get(RealTime.INTERVAL);
    if (!errors.isEmpty()) {
      return;
    }
    QueryHints hints = QueryHints.of(create.source());
    if (hints.realTime() != null) {
      errors.add(Diagnostic.error("RT0347", hints.realTime().getParserPosition(), "The mode of a pump is an option, and no hint",
          "write CREATE PUMP … OPTIONS (mode 'realtime') AS …"));
    } else if (mode != null && RealTime.isMode(mode)) {
      RealTime.checkInterval(interval, place(create, RealTime.INTERVAL), errors);
      hints.add(RealTime.hint(errors.isEmpty() ? interval : null));
    } else if (interval != null) {
      errors.add(Diagnostic.error("RT0310", place(create, RealTime.INTERVAL), "A pump in micro-batches has no option '" + RealTime.INTERVAL + "'",
          "leave it out, or add mode 'realtime'"));
    }
  }

  private static SqlParserPos place(SqlCreatePump create, String option) {
    return create.options.stream().map(SqlOption.class::cast).filter(each -> each.keyText().equalsIgnoreCase(option)).findFirst()
        .map(SqlNode::getParserPosition).orElse(SqlParserPos.ZERO);
  }

  /** Warns of a source that cannot be read twice. */
  void warnOfLostRows(CatalogObject pump, List<String> sources, SqlParserPos place, PlanResult outcome) {
    readOnce(sources, new HashSet<>()).ifPresent(source ->
        outcome.warn(Diagnostic.warning("RT0528", place,
            (pump.isMaterializedView() ? "Materialized view '" : "Pump '") + pump.name() + "' reads '" + source.name() + "', whose connector '"
                + source.connector().name() + "' cannot be read twice: rows that arrive while "
                + (pump.isMaterializedView() ? "no process runs it" : "the pump does not run") + " are lost",
            "each row of a batch arrives once; for a source that can be read twice use files or Kafka")));
  }

  /** Returns the foreign stream from which rows come, possibly through views, and which cannot be read again. */
  private Optional<CatalogObject> readOnce(List<String> sources, Set<String> seen) {
    return sources.stream().filter(seen::add)
        .flatMap(name -> environment.catalog().objects().stream().filter(o -> o.name().equals(name)))
        .flatMap(o -> o.isForeign() && !o.connector().repeatable() ? Stream.of(o)
            : o.isView() ? readOnce(o.uses(), seen).stream() : Stream.empty())
        .findFirst();
  }

  /** Returns the objects that the query of a pump reads. */
  private List<String> uses(SqlCreatePump create) {
    return Definition.uses(environment.catalog(), create.source());
  }

  /** Returns whether rows of {@code stream} reach one of {@code sources} through views and pumps. */
  private boolean feeds(String stream, List<String> sources, Set<String> seen) {
    if (sources.contains(stream)) {
      return true;
    }
    return seen.add(stream) && environment.catalog().objects().stream()
        .filter(o -> (o.isPump() || o.isView()) && o.uses().contains(stream))
        .anyMatch(o -> feeds(o.isView() ? o.name() : target(o), sources, seen));
  }

  /** Returns the object to which a pump writes; the pump's own name if its text is that of a view. */
  private String target(CatalogObject pump) {
    SqlNode body = StoredSql.query(pump);
    SqlNode target = body instanceof SqlMergeInto merge ? merge.target : body instanceof SqlInsert insert ? insert.getTargetTable() : null;
    return target instanceof SqlIdentifier id
        ? Names.existing(environment.catalog(), id, "Stream").name() : pump.name();
  }

  PlanResult alter(SqlAlterPump alter) {
    CatalogObject pump = Names.existing(environment.catalog(), alter.name, "Pump");
    if (!pump.isPump()) {
      throw new DiagnosticException("RT0313", alter.name.getParserPosition(), "'" + pump.name() + "' is a " + pump.kind() + ", not a pump", null);
    }
    if (pump.isMaterializedView() && alter.reset != null) {
      throw MaterializedViews.refused(pump, alter.name.getParserPosition(), "Cannot RESET");
    }
    if (pump.isMaterializedView() && alter.save != null) {
      throw MaterializedViews.refused(pump, alter.name.getParserPosition(), "Cannot SAVE");
    }
    if (pump.isMaterializedView() && alter.skip) {
      throw MaterializedViews.refused(pump, alter.name.getParserPosition(), "Cannot SKIP a row of");
    }
    if (alter.successor != null) {
      return new PumpTakeover(environment).replace(pump, alter);
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "pump").put("name", pump.name())
        .put("verb", alter.verb.name());
    if (alter.save != null) {
      change.put("save", PumpPlaces.save(alter.save));
    }
    if (alter.skip) {
      change.put("skip", true);
    }
    return new PlanResult(StatementType.DEFINITION, "ALTER PUMP").object(pump.name()).change(reset(change, alter.reset));
  }

  /** Adds to a change of a pump what becomes of its saved state and position. */
  private ObjectNode reset(ObjectNode change, SqlPumpReset reset) {
    if (reset != null) {
      ObjectNode json = change.putObject("reset").put("from", reset.from.name()).put("dropState", reset.dropState)
          .put("allowDuplicates", reset.allowDuplicates);
      switch (reset.from) {
        case NOW, EARLIEST, POSITION -> { }
        case TIMESTAMP -> json.put("since", reset.time().getValueAs(TimestampString.class).getMillisSinceEpoch());
        case OFFSETS -> json.set("offsets", new PumpPlaces(environment.catalog()).offsets(reset.offsets()));
        case SAVE -> json.put("save", PumpPlaces.save(reset.save()));
      }
    }
    return change;
  }
}
