package io.rowtime.plan.build;

import io.rowtime.plan.meaning.PlanMeaning;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.physical.Properties;
import io.rowtime.plan.progress.PlannedQuery;
import java.util.List;

/** Makes the physical plan of a query. */
public final class PhysicalPlans {
  private PhysicalPlans() {}

  /**
   * A physical plan.
   *
   * @param columns the columns of the result
   * @param meaning identifies what the result is; the names of its columns do not matter
   * @param notSupported the constructs that are valid but cannot run yet; empty if the whole plan can run
   */
  public record PhysicalPlan(PhysicalNode root, List<Column> columns, String meaning, List<String> notSupported) {}

  public static PhysicalPlan of(PlannedQuery query) {
    NodeBuilder builder = new NodeBuilder(query);
    PlanMeaning.Plan meant = PlanMeaning.of(builder.root());
    List<String> notSupported = builder.notSupported();
    return new PhysicalPlan(Properties.complete(meant, notSupported.isEmpty()), builder.columns(), meant.meanings().result(meant.root()), notSupported);
  }
}
