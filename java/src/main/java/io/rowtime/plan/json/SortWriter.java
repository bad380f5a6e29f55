package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.SortOrder;
import io.rowtime.plan.progress.PlannedQuery;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** Writes ORDER BY, and the order in which UNION ALL merges. */
final class SortWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  SortWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, Sort sort) {
    json.set("keys", keys(sort.getCollation().getFieldCollations()));
    limit(json, "offset", sort.offset);
    limit(json, "fetch", sort.fetch);
    json.putNull("closes");
    if (plan.streams().contains(sort)) {
      json.set("closes", closes(sort));
    }
  }

  static ArrayNode keys(List<RelFieldCollation> collations) {
    ArrayNode keys = PlanWriter.JSON.arrayNode();
    for (RelFieldCollation key : collations) {
      boolean nullsFirst = key.nullDirection == RelFieldCollation.NullDirection.FIRST
          || key.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED && key.getDirection().isDescending();
      keys.addObject().put("index", key.getFieldIndex()).put("direction", key.getDirection().isDescending() ? "DESC" : "ASC")
          .put("nulls", nullsFirst ? "FIRST" : "LAST");
    }
    return keys;
  }

  private void limit(ObjectNode json, String name, RexNode value) {
    if (value instanceof RexLiteral literal) {
      json.put(name, literal.getValueAs(Long.class));
    } else {
      json.putNull(name);
      writer.refuseIf(value != null, "an expression in " + name.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * Ordered by ROWTIME alone, a row can be emitted once the bound reaches it; with more keys, all rows of its time must
   * have arrived.
   */
  private JsonNode closes(Sort sort) {
    List<ClockStep> steps = SortOrder.steps(sort, plan.orders());
    if (steps == null) {
      writer.refuseIf(true, "ordering a stream by a monotonic column other than a function of ROWTIME");
      return NullNode.getInstance();
    }
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    int leading = keys.get(0).getFieldIndex();
    RexBuilder rex = sort.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(sort.getInput(), leading);
    boolean asItComes = keys.size() == 1 && steps.isEmpty();
    return writer.rex().write(asItComes ? new Closing(rex).timestamp(time) : new Closing(rex).of(time, steps));
  }

  /**
   * Writes the time at which a row of a branch can leave the merge: its ROWTIME, or null if ROWTIME is hidden because
   * not every branch has it as a column.
   */
  JsonNode mergeTime(Union union) {
    NodeOrder order = plan.orders().of(union);
    writer.refuseIf(!order.hasClock(), "UNION ALL of streams whose ROWTIMEs derive from their sources in ways that cannot be compared");
    if (order.rowtime() < 0) {
      return NullNode.getInstance();
    }
    return writer.rex().write(union.getCluster().getRexBuilder().makeInputRef(union.getInput(0), order.rowtime()));
  }
}
