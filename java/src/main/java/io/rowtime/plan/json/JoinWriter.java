package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.JoinKeys;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.Variation;
import io.rowtime.validate.function.SearchKeyOptions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;

/** Writes joins: of relations, of streams within time intervals, and of a stream with a relation. */
final class JoinWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  JoinWriter(PlanWriter writer, PlannedQuery plan) {
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
      boolean subQuery = plan.origins().of(join).kind() != Join.class;
      writer.refuseIf(plan.streams().contains(join), subQuery ? "a sub-query over a stream in an expression (join it in FROM; EXISTS and IN "
          + "run as conditions of WHERE that AND combines)" : "a join in a streaming query");
    }
  }

  void write(ObjectNode json, TemporalJoin join) {
    TemporalJoin.Version version = join.version();
    json.put("joinType", join.type().name()).put("leftTime", time(join.getLeft())).put("rightTime", time(join.getRight()));
    json.put("shift", version.shift()).put("inclusive", version.inclusive()).put("within", version.within());
    ArrayNode identity = json.putArray("identity");
    version.identity().forEach(identity::add);
    json.put("oneTask", version.oneTask());
    matching(json, join.keys(), join);
  }

  void write(ObjectNode json, SearchKeyJoin join) {
    // The table is not read, but looked up by key.
    ((ObjectNode) json.get("inputs").get(1)).put("mode", "keys");
    json.put("connector", join.connector().name()).put("joinType", join.type().name());
    ArrayNode keys = json.putArray("keys");
    join.keys().forEach(keys::add);
    json.set("lookup", writer.rex().writeAll(join.lookup()));
    json.set("condition", join.condition() == null ? NullNode.getInstance() : writer.rex().write(join.condition()));
    SearchKeyOptions options = join.options();
    ObjectNode given = json.putObject("options");
    given.put("capacity", options.capacity()).put("timeout", options.timeout()).put("batchSize", options.batchSize());
    given.put("retries", options.retries()).put("delay", options.delay()).put("cacheTtl", options.cacheTtl());
    given.put("cacheRows", options.cacheRows()).put("cacheMisses", options.cacheMisses()).put("outage", options.outage());
  }

  /** Returns the column that is the clock of an input; null if the clock is not one of its columns. */
  private Integer time(RelNode input) {
    int column = plan.orders().of(input).rowtime();
    return column < 0 ? null : column;
  }

  private void intervals(ObjectNode json, IntervalJoin join) {
    json.set("leftInterval", interval(join.leftInterval()));
    json.set("rightInterval", interval(join.rightInterval()));
    json.put("leftDistinct", join.leftDistinct()).put("rightDistinct", join.rightDistinct());
    matching(json, join.keys(), join);
  }

  /** Writes which rows of two streams match, and the clocks of both streams. */
  private void matching(ObjectNode json, JoinKeys keys, BiRel join) {
    json.put("leftSource", source(json.get("inputs").get(0))).put("rightSource", source(json.get("inputs").get(1)));
    json.set("leftKeys", writer.rex().writeAll(keys.left()));
    json.set("rightKeys", writer.rex().writeAll(keys.right()));
    RexNode condition = JoinKeys.all(keys.others(), join.getCluster().getRexBuilder());
    json.set("condition", condition == null ? NullNode.getInstance() : writer.rex().write(condition));
    boolean goes = Stream.of(join, join.getLeft(), join.getRight()).map(plan.orders()::of).allMatch(NodeOrder::hasClock);
    writer.refuseIf(!goes, "a join of streams whose ROWTIMEs derive from their sources in ways that cannot be compared");
    writer.refuseIf(Stream.of(join.getLeft(), join.getRight()).flatMap(Plans::nodes).anyMatch(this::hasNullableClock),
        "a join of rows whose time can be NULL (a row without a time has no place in their order: declare the column NOT NULL)");
    writer.refuseIf(goes && Stream.of(join.getLeft(), join.getRight()).flatMap(input -> plan.orders().of(input).clock().stream())
        .anyMatch(ClockStep::varies), "a join of streams whose ROWTIMEs advance by calendar units or local times");
  }

  private boolean hasNullableClock(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column >= 0 && rel.getRowType().getFieldList().get(column).getType().isNullable();
  }

  private static ObjectNode interval(IntervalJoin.Interval interval) {
    ObjectNode json = PlanWriter.JSON.objectNode().put("from", interval.from());
    if (interval.window() != null) {
      json.set("window", PlanWriter.clock(List.of(interval.window())).get(0));
    }
    return interval.rows() > 0 ? json.putNull("to").put("rows", interval.rows()) : json.put("to", interval.to()).putNull("rows");
  }

  /**
   * Returns the id of the scan whose bounds are also those of the node, because no operator between them delays rows;
   * null if there is none.
   */
  private static Integer source(JsonNode node) {
    String op = node.get("op").asText();
    if (List.of("project", "filter", "hop").contains(op)) {
      return source(node.get("inputs").get(0));
    }
    boolean stream = op.equals("scan") && List.of("STREAM", "TABLE").contains(node.get("kind").asText()) && !node.get("bound").isNull();
    return stream ? node.get("id").asInt() : null;
  }
}
