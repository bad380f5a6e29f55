package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.progress.PlannedQuery;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;

/** Writes UNION, which merges streams, and INTERSECT and EXCEPT of relations. */
final class SetOpWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  SetOpWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, Union union) {
    json.put("all", union.all);
    if (plan.streams().contains(union)) {
      json.set("closes", new SortWriter(writer, plan).mergeTime(union));
    } else {
      json.putNull("closes");
    }
  }

  void write(ObjectNode json, SetOp operation) {
    String kind = operation.kind.name();
    json.put("kind", kind).put("all", operation.all);
    writer.refuseIf(plan.streams().contains(operation), kind + " of streams");
  }
}
