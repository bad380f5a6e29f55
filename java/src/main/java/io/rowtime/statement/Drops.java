package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.bridge.Diagnostic;
import io.rowtime.bridge.DiagnosticException;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.sql.SqlDropObject;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP of any object; what depends on it must be dropped before, or goes with CASCADE. */
final class Drops {
  private Drops() {}

  static Outcome drop(CatalogSnapshot catalog, SqlDropObject drop) {
    Outcome outcome = new Outcome("DROP " + drop.kind.sql());
    SqlParserPos pos = drop.name.getParserPosition();
    String name = String.join(".", drop.name.names);
    CatalogObject object = catalog.find(name);
    if (object == null && drop.ifExists) {
      return outcome.object(name).warn(new Diagnostic(Diagnostic.Severity.INFO, "RT0312", drop.kind.sql() + " '" + name + "' does not exist",
          pos.getLineNum(), pos.getColumnNum(), pos.getEndLineNum(), pos.getEndColumnNum(), null));
    }
    if (object == null) {
      throw new DiagnosticException("RT0312", pos, drop.kind.sql() + " '" + name + "' does not exist", Names.suggestion(catalog, name));
    }
    if (!object.kind().equals(drop.kind.sql())) {
      throw new DiagnosticException("RT0313", pos, "'" + object.name() + "' is a " + object.kind() + ", not a " + drop.kind.sql(),
          "write DROP " + object.kind() + " " + object.name());
    }
    if (object.isSystem()) {
      throw new DiagnosticException("RT0316", pos, "'" + object.name() + "' belongs to rowtime and cannot be dropped", null);
    }
    List<CatalogObject> dependents = catalog.dependents(object.name());
    if (!dependents.isEmpty() && !drop.cascade) {
      throw new DiagnosticException("RT0314", pos, "'" + object.name() + "' is used by "
          + String.join(", ", dependents.stream().map(d -> d.kind() + " '" + d.name() + "'").toList()),
          "drop what uses it first, or write DROP " + object.kind() + " " + object.name() + " CASCADE");
    }
    List<CatalogObject> all = new ArrayList<>(dependents);
    all.add(object);
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "drop");
    ArrayNode names = change.putArray("names");
    all.forEach(o -> names.add(o.name()));
    return outcome.object(object.name()).change(change);
  }
}
