package io.rowtime.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.monotone.ClockStep;
import io.rowtime.plan.monotone.NodeOrder;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;

/** Joins: of relations, of streams within intervals of time, of a stream with a relation. */
final class JoinWriter {
  private final PlanWriter writer;
  private final Planned plan;

  JoinWriter(PlanWriter writer, Planned plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, Join join) {
    json.put("joinType", join.getJoinType().name());
    if (join instanceof IntervalJoin intervals) {
      intervals(json, intervals);
      return;
    }
    if (join instanceof LookupJoin lookup) {
      json.put("stream", lookup.streamOnLeft() ? "LEFT" : "RIGHT").put("varies", Variation.varies(lookup.relation()));
    }
    json.set("condition", writer.rex().write(join.getCondition()));
    if (join instanceof AsofJoin) {
      writer.refuseIf(true, "ASOF JOIN with a stream on its right");
    } else if (!(join instanceof LookupJoin)) {
      writer.refuseIf(plan.streams().contains(join), "a join in a streaming query");
    }
  }

  private void intervals(ObjectNode json, IntervalJoin join) {
    IntervalJoin.Keys keys = join.keys();
    json.set("leftInterval", interval(join.leftInterval()));
    json.set("rightInterval", interval(join.rightInterval()));
    json.put("leftSource", source(json.get("inputs").get(0))).put("rightSource", source(json.get("inputs").get(1)));
    json.set("leftKeys", writer.rex().writeAll(keys.left()));
    json.set("rightKeys", writer.rex().writeAll(keys.right()));
    json.set("condition", join.rest() == null ? NullNode.getInstance() : writer.rex().write(join.rest()));
    boolean goes = Stream.of(join, join.getLeft(), join.getRight()).map(plan.orders()::of).allMatch(NodeOrder::hasClock);
    writer.refuseIf(!goes, "a join of streams whose ROWTIMEs follow from their sources in ways that cannot be compared");
    writer.refuseIf(Stream.of(join.getLeft(), join.getRight()).flatMap(Plans::nodes).anyMatch(this::hasNullableClock),
        "a join of rows whose time can be NULL");
    writer.refuseIf(goes && Stream.of(join.getLeft(), join.getRight()).flatMap(input -> plan.orders().of(input).clock().stream())
        .anyMatch(ClockStep::varies), "a join of streams whose ROWTIMEs advance by calendar units or local times");
  }

  private boolean hasNullableClock(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column >= 0 && rel.getRowType().getFieldList().get(column).getType().isNullable();
  }

  private static ObjectNode interval(IntervalJoin.Interval interval) {
    ObjectNode json = PlanWriter.JSON.objectNode().put("from", interval.from());
    return interval.rows() > 0 ? json.putNull("to").put("rows", interval.rows()) : json.put("to", interval.to()).putNull("rows");
  }

  /** The scan of the stream whose own bounds are those of a node, as nothing between them waits; or null. */
  private static Integer source(JsonNode node) {
    String op = node.get("op").asText();
    if (op.equals("project") || op.equals("filter")) {
      return source(node.get("inputs").get(0));
    }
    boolean stream = op.equals("scan") && node.get("kind").asText().equals("STREAM") && !node.get("bound").isNull();
    return stream ? node.get("id").asInt() : null;
  }
}
