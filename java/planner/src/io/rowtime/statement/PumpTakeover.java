package io.rowtime.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlAlterPump;
import io.rowtime.sql.SqlCreatePump;
import io.rowtime.validate.Environment;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * ALTER PUMP … REPLACE WITH: the query of another pump, which writes to a target of its own until then, takes over the name and
 * the target of a pump.
 */
final class PumpTakeover {
  private static final String CODE = "RT0562";
  private static final int TARGET = 1;

  private final Environment environment;

  PumpTakeover(Environment environment) {
    this.environment = environment;
  }

  PlanResult replace(CatalogObject pump, SqlAlterPump alter) {
    SqlParserPos pos = alter.successor.getParserPosition();
    CatalogObject successor = Names.existing(environment.catalog(), alter.successor, "Pump");
    if (pump.isMaterializedView() || successor.isMaterializedView()) {
      throw MaterializedViews.refused(pump.isMaterializedView() ? pump : successor, pos, "Cannot REPLACE");
    }
    if (!successor.isPump()) {
      throw new DiagnosticException("RT0313", pos, "'" + successor.name() + "' is a " + successor.kind() + ", not a pump", null);
    }
    for (CatalogObject each : List.of(pump, successor)) {
      if (RealTime.isOf(each)) {
        throw new DiagnosticException(CODE, pos, "Pump '" + each.name() + "' runs in real time: it does not stop at a place of its source that another pump has come to",
            "CREATE OR REPLACE PUMP gives '" + pump.name() + "' another query, and keeps its position");
      }
    }
    CatalogObject target = target(pump);
    CatalogObject shadow = target(successor);
    if (target.name().equals(shadow.name())) {
      throw new DiagnosticException(CODE, pos, "Pump '" + successor.name() + "' writes to '" + target.name() + "' already, as '" + pump.name() + "' does",
          "let it write to a stream or table of its own until it takes over");
    }
    PlanResult planned = planned(pump, successor, target, pos);
    boolean swaps = hasChanges(planned) || hasChanges(new Pumps(environment).body(StoredSql.query(pump)));
    if (swaps) {
      requireSwap(pump, successor, target, shadow, pos);
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "pump").put("name", pump.name())
        .put("verb", alter.verb.name()).put("by", successor.name()).put("target", target.name()).put("shadow", shadow.name())
        .put("swap", swaps);
    change.set("object", definition(planned));
    return new PlanResult(StatementType.DEFINITION, "ALTER PUMP").object(pump.name()).change(change);
  }

  /** Plans the definition of the successor under the name of the pump that it replaces, and into its target. */
  private PlanResult planned(CatalogObject pump, CatalogObject successor, CatalogObject target, SqlParserPos pos) {
    SqlCreatePump create = (SqlCreatePump) StoredSql.definition(successor);
    if (!(create.body instanceof SqlInsert insert)) {
      throw unfit(successor, pos);
    }
    insert.setOperand(TARGET, new SqlIdentifier(target.name(), SqlParserPos.ZERO));
    SqlCreatePump replaced = new SqlCreatePump(SqlParserPos.ZERO, true, false, new SqlIdentifier(pump.name(), SqlParserPos.ZERO), true, null,
        create.options, insert);
    try {
      return new Pumps(environment).create(replaced);
    } catch (DiagnosticException e) {
      // Its positions are those of the stored text.
      throw new DiagnosticException(CODE, pos, "The query of pump '" + successor.name() + "' cannot write to '" + target.name() + "': "
          + e.diagnostics().get(0).message(), e.diagnostics().get(0).hint());
    }
  }

  /** Returns whether a target has a result that changes, or its changes: what one query has written is not that of another. */
  private static boolean hasChanges(PlanResult planned) {
    JsonNode target = planned.json().get("target");
    return target.path("mode").asText().equals("upsert") || target.has("meaning");
  }

  private static DiagnosticException unfit(CatalogObject pump, SqlParserPos pos) {
    return new DiagnosticException(CODE, pos, "Pump '" + pump.name() + "' merges rows into a table that keeps what it was, so no other pump can take over",
        "STOP it, and CREATE OR REPLACE it");
  }

  private static JsonNode definition(PlanResult planned) {
    for (JsonNode change : planned.json().get("changes")) {
      if (change.has("object")) {
        return change.get("object");
      }
    }
    throw new IllegalStateException("CREATE OR REPLACE PUMP without a definition");
  }

  private CatalogObject target(CatalogObject pump) {
    if (!(StoredSql.query(pump) instanceof SqlInsert insert)) {
      throw unfit(pump, SqlParserPos.ZERO);
    }
    return Names.existing(environment.catalog(), (SqlIdentifier) insert.getTargetTable(), "Stream");
  }

  /** Checks that a table of results that change, and its shadow, can exchange their rows. */
  private void requireSwap(CatalogObject pump, CatalogObject successor, CatalogObject target, CatalogObject shadow, SqlParserPos pos) {
    for (CatalogObject each : List.of(target, shadow)) {
      if (!each.isTable() || each.isForeign() || each.isMaterializedView()) {
        throw new DiagnosticException(CODE, pos, "The results in " + each.kind().toLowerCase(Locale.ROOT) + " '" + each.name()
            + "' change: only those of a table of the warehouse can be exchanged in one step", "STOP the pump, and replace the rows there");
      }
    }
    if (!target.columns().equals(shadow.columns()) || !target.primaryKey().equals(shadow.primaryKey())
        || !target.options().equals(shadow.options())) {
      throw new DiagnosticException(CODE, pos, "Tables '" + target.name() + "' and '" + shadow.name()
          + "' exchange their rows, and differ in their columns, their PRIMARY KEY or their OPTIONS", "create '" + shadow.name() + "' like '"
          + target.name() + "'");
    }
    Set<String> others = new TreeSet<>();
    for (CatalogObject each : List.of(target, shadow)) {
      environment.catalog().dependents(each.name()).stream().filter(CatalogObject::isPump)
          .filter(o -> !o.name().equals(pump.name()) && !o.name().equals(successor.name())).forEach(o -> others.add("'" + o.name() + "'"));
    }
    if (!others.isEmpty()) {
      throw new DiagnosticException(CODE, pos, "Tables '" + target.name() + "' and '" + shadow.name() + "' exchange their rows, and are used by "
          + String.join(", ", others) + ": what these have read of them would be of other rows", "drop them first, or let them read a view of the source");
    }
  }
}
