package io.rowtime.plan.exchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.Plans;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.externalize.RelJsonWriter;
import org.apache.calcite.rel.stream.LogicalDelta;

/**
 * A query as Calcite converted it, before rowtime rewrites it for Spark, in Calcite's own forms. A streaming query is below a
 * {@code LogicalDelta}, as {@code SELECT STREAM} is in Calcite.
 */
public final class RelPlans {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RelPlans() {}

  /** Returns the tree as Calcite prints it, one line per node. */
  public static String text(PlannedQuery planned) {
    return RelOptUtil.toString(rel(planned)).stripTrailing();
  }

  /**
   * Returns the tree in the form that {@code RelJsonReader} reads; null if Calcite's JSON cannot express one of its
   * operators or values.
   */
  public static JsonNode json(PlannedQuery planned) {
    if (Plans.nodes(planned.converted()).anyMatch(node -> !Plans.subQueries(node).isEmpty())) {
      // Calcite's writer silently omits the query of a sub-query.
      return null;
    }
    try {
      RelJsonWriter writer = new RelJsonWriter();
      rel(planned).explain(writer);
      return JSON.readTree(writer.asString());
    } catch (UnsupportedOperationException | JsonProcessingException e) {
      return null;
    }
  }

  private static RelNode rel(PlannedQuery planned) {
    RelNode rel = planned.converted();
    return planned.streaming() ? LogicalDelta.create(rel) : rel;
  }
}
