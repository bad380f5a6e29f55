package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.PartitionClosing;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.TopN;
import org.apache.calcite.rex.RexBuilder;

/** Writes Top-N. */
final class TopNWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  TopNWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, TopN rows) {
    ArrayNode partition = json.putArray("partition");
    rows.partition().forEach(partition::add);
    json.set("order", SortWriter.keys(rows.order().getFieldCollations()));
    json.put("function", rows.function().name()).put("limit", rows.limit());
    ArrayNode ranks = json.putArray("ranks");
    rows.ranks().forEach(rank -> ranks.add(rank.function().name()));
    PartitionClosing closing = new PartitionClosing(plan.orders().of(rows.getInput()));
    int key = closing.key(rows.partition());
    RexBuilder rex = rows.getCluster().getRexBuilder();
    json.set("closes", writer.rex().write(new Closing(rex).of(rex.makeInputRef(rows.getInput(), key), closing.steps(key))));
  }
}
