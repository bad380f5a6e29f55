package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rowtime.bridge.DiagnosticException;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.Environment;
import io.rowtime.sql.SqlAlterPump;
import io.rowtime.sql.SqlCreatePump;
import java.util.List;
import java.util.Map;

/** CREATE PUMP and ALTER PUMP. */
final class Pumps {
  private final Environment environment;

  Pumps(Environment environment) {
    this.environment = environment;
  }

  Outcome create(SqlCreatePump create) {
    String name = Names.fresh(create.name);
    String sql = SqlText.of(create);
    String query = SqlText.of(create.insert);
    List<String> uses = Definition.uses(environment.catalog(), create.insert);
    Outcome outcome = new Inserts(environment).insert(create.insert, true).kind("CREATE PUMP").object(name);
    CatalogObject pump = new CatalogObject(name, CatalogObject.PUMP, List.of(), List.of(), Map.of(), query, create.started, uses, sql);
    if (Definition.admit(environment.catalog(), pump, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      outcome.change(Definition.create(pump, create.getReplace()));
    }
    return outcome;
  }

  Outcome alter(SqlAlterPump alter) {
    CatalogObject pump = Names.existing(environment.catalog(), alter.name, "Pump");
    if (!pump.isPump()) {
      throw new DiagnosticException("RT0313", alter.name.getParserPosition(), "'" + pump.name() + "' is a " + pump.kind() + ", not a pump", null);
    }
    return new Outcome("ALTER PUMP").object(pump.name())
        .change(JsonNodeFactory.instance.objectNode().put("action", "pump").put("name", pump.name())
            .put("verb", alter.verb.name()).put("reset", alter.reset));
  }
}
