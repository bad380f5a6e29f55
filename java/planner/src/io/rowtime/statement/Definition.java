package io.rowtime.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.constant.Distances;
import io.rowtime.validate.UserFunction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Checks and JSON forms that all CREATE statements share. */
final class Definition {
  private Definition() {}

  /**
   * Checks that an object may be created under its name.
   *
   * @return false if the object exists already and the statement has IF NOT EXISTS
   */
  static boolean admit(CatalogSnapshot catalog, CatalogObject object, boolean replace, boolean ifNotExists,
      SqlIdentifier id, PlanResult outcome) {
    CatalogObject old = catalog.find(object.name());
    SqlParserPos pos = id.getParserPosition();
    if (old == null) {
      return true;
    }
    if (ifNotExists) {
      outcome.warn(new Diagnostic(Diagnostic.Severity.INFO, "RT0302", "'" + old.name() + "' exists already and was not changed",
          pos.getLineNum(), pos.getColumnNum(), pos.getEndLineNum(), pos.getEndColumnNum(), null));
      return false;
    }
    if (!replace) {
      throw new DiagnosticException("RT0302", pos, old.kind() + " '" + old.name() + "' exists already",
          "drop it first, or write CREATE OR REPLACE, or IF NOT EXISTS");
    }
    if (!old.kind().equals(object.kind())) {
      throw new DiagnosticException("RT0302", pos, "'" + old.name() + "' is a " + old.kind() + " and cannot be replaced by a " + object.kind(),
          "DROP " + old.kind() + " " + old.name() + " first");
    }
    return true;
  }

  /**
   * Checks that a view, pump or function may replace an object: nothing that depends on it sees other columns.
   *
   * @throws DiagnosticException RT0303
   */
  static void requireSameColumns(CatalogSnapshot catalog, CatalogObject object, SqlIdentifier id) {
    CatalogObject old = catalog.find(object.name());
    if (old == null || old.columns().equals(object.columns())
        && Objects.equals(old.options().get(UserFunction.RETURNS), object.options().get(UserFunction.RETURNS))) {
      return;
    }
    List<CatalogObject> dependents = new ArrayList<>(catalog.dependents(old.name()));
    dependents.addAll(catalog.rejectingInto(old.name()));
    if (!dependents.isEmpty()) {
      throw new DiagnosticException("RT0303", id.getParserPosition(), "'" + old.name() + "' is used by "
          + String.join(", ", dependents.stream().map(d -> d.kind() + " '" + d.name() + "'").toList())
          + ": its columns cannot be changed", "drop what depends on it first");
    }
  }

  /** Returns {@code {"action": "replan", "names": …}}: pumps whose plans follow from a definition that changes. */
  static ObjectNode replan(List<String> pumps) {
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "replan");
    ArrayNode names = change.putArray("names");
    pumps.forEach(names::add);
    return change;
  }

  /** Returns {@code {"action": "create", …}}. */
  static ObjectNode create(CatalogObject object, boolean replace) {
    ObjectNode change = JsonNodeFactory.instance.objectNode().put("action", "create");
    ObjectNode json = change.putObject("object").put("name", object.name()).put("kind", object.kind());
    ArrayNode columns = json.putArray("columns");
    for (CatalogColumn c : object.columns()) {
      ObjectNode column = columns.addObject().put("name", c.name()).put("type", c.type()).put("nullable", c.nullable())
          .put("lateness", c.lateness()).put("watermark", c.watermark()).put("monotonic", c.monotonic())
          .put("default", c.defaultValue());
      column.set("latenessValue", amount(c.type(), c.lateness()));
      column.set("watermarkValue", amount(c.type(), c.watermark()));
    }
    ArrayNode key = json.putArray("primaryKey");
    object.primaryKey().forEach(key::add);
    ObjectNode options = json.putObject("options");
    object.options().forEach(options::put);
    json.put("query", object.query()).put("started", object.started());
    ArrayNode uses = json.putArray("uses");
    object.uses().forEach(uses::add);
    json.put("sql", object.sql());
    return change.put("replace", replace);
  }

  /** Returns the amount of a LATENESS or WATERMARK: milliseconds for a time, else a number; null if there is none. */
  private static JsonNode amount(String type, String sql) {
    if (sql == null) {
      return NullNode.getInstance();
    }
    BigDecimal value = Distances.of(sql);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    return type.startsWith("TIMESTAMP") || type.equals("DATE") ? json.put("millis", value.longValueExact())
        : json.put("number", value.toPlainString());
  }

  /** Returns the catalog objects that a query or statement names. */
  static List<String> uses(CatalogSnapshot catalog, SqlNode node) {
    Set<String> names = new TreeSet<>();
    node.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlIdentifier id) {
        CatalogObject object = catalog.find(String.join(".", id.names));
        if (object != null) {
          names.add(object.name());
        }
        return null;
      }

      @Override public Void visit(SqlCall call) {
        if (call.getOperator() instanceof SqlFunction function && function.getNameAsId() != null) {
          visit(function.getNameAsId());
        }
        return super.visit(call);
      }
    });
    return List.copyOf(names);
  }
}
