package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.exchange.RelPlans;
import io.rowtime.plan.exchange.SubstraitPlans;
import io.rowtime.plan.json.PlanWriter;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.progress.PlannedQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rel.type.RelDataType;

/** The result of planning a statement: the {@code statement} object of the planner's reply, and its warnings. */
public final class PlanResult {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ObjectNode json = JSON.objectNode();
  private final ArrayNode changes = JSON.arrayNode();
  private final List<String> notSupported = new ArrayList<>();
  private final Map<String, Place> refusedAt = new TreeMap<>();
  private final List<Diagnostic> warnings = new ArrayList<>();
  private PlannedQuery planned;
  private PhysicalNode root;
  private boolean updates;
  private String meaning;
  private String changesOf;
  private Diagnostic refusal;

  /** @param kind the first words of the statement */
  PlanResult(StatementType type, String kind) {
    json.put("type", type.word()).put("kind", kind).put("streaming", false);
    json.putNull("fields");
    json.putNull("plan");
    json.put("fromEarliest", false);
    json.set("changes", changes);
    json.putNull("target");
    json.putNull("object");
    json.putNull("partitions");
    json.put("mode", "microbatch");
  }

  /** Returns the result of a query. */
  public static PlanResult select(PlannedQuery query) {
    return new PlanResult(StatementType.SELECT, "SELECT").plan(query);
  }

  /** Makes it the result of another statement, which contains this one. */
  PlanResult within(StatementType type, String kind) {
    json.put("type", type.word()).put("kind", kind);
    return this;
  }

  public PlanResult object(String name) {
    json.put("object", name);
    return this;
  }

  /** Sets the pattern of SHOW … LIKE, null if there is none. */
  public PlanResult like(String pattern) {
    json.put("like", pattern);
    return this;
  }

  /** Sets the plan of the statement's query. */
  public PlanResult plan(PlannedQuery planned) {
    this.planned = planned;
    PhysicalPlans.PhysicalPlan physical = PhysicalPlans.of(planned);
    root = physical.root();
    updates = physical.root().node().operator() instanceof Operator.ToChangelog changelog && changelog.target() != null;
    meaning = physical.meaning();
    changesOf = physical.changes();
    json.put("streaming", planned.streaming());
    json.set("plan", PlanWriter.write(physical.root()));
    json.set("fields", PlanWriter.columns(physical.columns()));
    notSupported.addAll(physical.notSupported());
    refusedAt.putAll(physical.refusedAt());
    warnings.addAll(planned.warnings());
    ArrayNode parameters = json.putArray("parameters");
    for (RelDataType type : Parameters.types(planned.converted())) {
      parameters.add(TypeText.of(type));
    }
    return this;
  }

  /** Marks the statement as an INSERT EXPEDITED. */
  public PlanResult expedited() {
    json.put("expedited", true);
    return this;
  }

  /** Marks the inserted row as consisting of the parameters, in order. */
  public PlanResult parameterRows() {
    json.put("parameterRows", true);
    return this;
  }

  /** Adds the plan in Calcite's own formats: {@code "calcite": {"rel": text, "relJson": {…} or null}}. */
  public PlanResult calcite() {
    if (planned != null) {
      json.putObject("calcite").put("rel", RelPlans.text(planned)).set("relJson", RelPlans.json(planned));
    }
    return this;
  }

  /**
   * Adds the plan as a Substrait plan: {@code "substrait": {"plan": {…} or null, "reason": text or null}}, with the
   * reason if there is no plan.
   */
  public PlanResult substrait() {
    if (planned != null) {
      ObjectNode substrait = json.putObject("substrait").putNull("reason");
      try {
        substrait.set("plan", SubstraitPlans.json(planned));
      } catch (SubstraitPlans.InexpressibleException e) {
        substrait.putNull("plan").put("reason", e.getMessage());
      }
    }
    return this;
  }

  /** Sets the target of an INSERT and the columns that it fills, in the order of its rows. */
  public PlanResult target(String name, List<String> columns) {
    ObjectNode target = json.putObject("target").put("name", name);
    ArrayNode names = target.putArray("columns");
    columns.forEach(names::add);
    return this;
  }

  /** Sets the values of the columns of the target that its rows do not fill, by their names. */
  public PlanResult defaults(Map<String, Expression> values) {
    if (!values.isEmpty()) {
      ObjectNode defaults = ((ObjectNode) json.get("target")).putObject("defaults");
      values.forEach((column, value) -> defaults.set(column, PlanWriter.expressions(List.of(value)).get(0)));
    }
    return this;
  }

  /** Returns whether the result of the query changes, and the target gets the changes. */
  public boolean updates() {
    return updates;
  }

  /** Says that rows of the query are changes of the rows that the target has for their keys. */
  public PlanResult upserts(List<String> key) {
    ObjectNode target = (ObjectNode) json.get("target");
    ArrayNode names = target.put("mode", "upsert").putArray("key");
    key.forEach(names::add);
    return this;
  }

  /** Says that rows of the query change the rows of the target, as {@code merge} says; its {@code columns} are all those of the target. */
  public PlanResult merges(List<String> key, ObjectNode merge) {
    upserts(key);
    ((ObjectNode) json.get("target")).put("mode", "merge").set("merge", merge);
    return this;
  }

  /** Says that all rows of the target are those of this query, which its {@code meaning} identifies. */
  public PlanResult ofView() {
    ((ObjectNode) json.get("target")).put("meaning", meaning);
    return this;
  }

  /** Says that the query starts with all rows that its streams still hold. */
  public PlanResult fromEarliest() {
    json.put("fromEarliest", true);
    return this;
  }

  /** Returns the root of the plan; null if the statement has none. */
  PhysicalNode root() {
    return root;
  }

  /** Says that rows go on one by one, and not in micro-batches; the position is recorded once in so many milliseconds. */
  PlanResult realTime(long commitMillis) {
    json.put("mode", RealTime.MODE).put("commitMillis", commitMillis);
    return this;
  }

  public PlanResult change(ObjectNode change) {
    changes.add(change);
    return this;
  }

  /** Adds a change before those that follow from it. */
  public PlanResult changeFirst(ObjectNode change) {
    changes.insert(0, change);
    return this;
  }

  /** Sets the number of partitions into which the query shuffles its rows. */
  public PlanResult partitions(int count) {
    json.put("partitions", count);
    return this;
  }

  public PlanResult notSupported(String what) {
    if (!notSupported.contains(what)) {
      notSupported.add(what);
    }
    return this;
  }

  /** Sets the error of the statement if the object that it replaces has rows: only who runs it knows. */
  public PlanResult refuseIfRows(Diagnostic error) {
    refusal = error;
    return this;
  }

  /** Returns the error if the object that the statement replaces has rows; null if they do not matter. */
  public Diagnostic refusal() {
    return refusal;
  }

  public PlanResult warn(Diagnostic warning) {
    warnings.add(warning);
    return this;
  }

  public List<Diagnostic> warnings() {
    return warnings;
  }

  public ObjectNode json() {
    if (changesOf != null && json.get("target") instanceof ObjectNode target && !target.has("mode")) {
      // Rows that are appended are changes of one result. Those that a MERGE applies change what its clauses say.
      target.put("meaning", changesOf);
    }
    ArrayNode array = json.putArray("notSupported");
    notSupported.forEach(array::add);
    ObjectNode places = json.putObject("notSupportedAt");
    refusedAt.forEach((what, place) -> PlanWriter.write(place, places.putObject(what)));
    return json;
  }
}
