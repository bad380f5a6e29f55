package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlDropObject;
import io.rowtime.sql.SqlOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * DROP of any object. Dependent objects must be dropped before, or are dropped with CASCADE. A stream whose late_stream
 * is dropped stays, without that option.
 */
final class Drops {
  private Drops() {}

  static PlanResult drop(CatalogSnapshot catalog, SqlDropObject drop) {
    PlanResult outcome = new PlanResult(StatementType.DEFINITION, "DROP " + drop.kind.sql());
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
    List<CatalogObject> all = new ArrayList<>(catalog.dependents(object.name()));
    all.add(object);
    List<CatalogObject> rejecting = rejectingInto(catalog, all);
    if (all.size() + rejecting.size() > 1 && !drop.cascade) {
      List<String> users = new ArrayList<>(all.stream().limit(all.size() - 1).map(d -> d.kind() + " '" + d.name() + "'").toList());
      rejecting.forEach(o -> users.add(o.kind() + " '" + o.name() + "' as its late_stream"));
      throw new DiagnosticException("RT0314", pos, "'" + object.name() + "' is used by " + String.join(", ", users),
          "drop what uses it first, or write DROP " + object.kind() + " " + object.name() + " CASCADE");
    }
    for (CatalogObject o : rejecting) {
      outcome.change(Definition.create(withoutLateStream(o), true));
      outcome.warn(new Diagnostic(Diagnostic.Severity.INFO, "RT0339", o.kind() + " '" + o.name() + "' no longer has a late_stream: its late rows are only counted",
          pos.getLineNum(), pos.getColumnNum(), pos.getEndLineNum(), pos.getEndColumnNum(), null));
    }
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "drop");
    ArrayNode names = change.putArray("names");
    all.forEach(o -> names.add(o.name()));
    return outcome.object(object.name()).change(change);
  }

  /** Returns the objects that stay, but whose late stream is dropped. */
  private static List<CatalogObject> rejectingInto(CatalogSnapshot catalog, List<CatalogObject> dropped) {
    return dropped.stream().flatMap(o -> catalog.rejectingInto(o.name()).stream()).filter(o -> !dropped.contains(o)).distinct().toList();
  }

  private static CatalogObject withoutLateStream(CatalogObject object) {
    SqlCreateRelation create = (SqlCreateRelation) StoredSql.definition(object);
    create.options.removeIf(node -> ((SqlOption) node).keyText().equalsIgnoreCase(CatalogObject.LATE_STREAM));
    Map<String, String> options = new LinkedHashMap<>(object.options());
    options.remove(CatalogObject.LATE_STREAM);
    return new CatalogObject(object.name(), object.kind(), object.columns(), object.primaryKey(), options, object.query(),
        object.started(), object.uses(), SqlText.of(create));
  }
}
