package io.rowtime.plan.build;

import io.rowtime.plan.meaning.PlanMeaning;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.physical.Properties;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.validate.ValidationErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** Makes the physical plan of a query. */
public final class PhysicalPlans {
  private PhysicalPlans() {}

  /**
   * A physical plan.
   *
   * @param columns the columns of the result
   * @param meaning identifies what the result is; the names of its columns do not matter
   * @param changes identifies the result whose changes its rows are; null if they are none
   * @param notSupported the constructs that are valid but cannot run yet; empty if the whole plan can run
   * @param refusedAt where in the text of the statement those of them are whose place is known
   */
  public record PhysicalPlan(PhysicalNode root, List<Column> columns, String meaning, String changes, List<String> notSupported, Map<String, Place> refusedAt) {}

  /**
   * Expressions outside a plan.
   *
   * @param notSupported what in them cannot be computed yet
   */
  public record Expressions(List<Expression> expressions, List<String> notSupported) {}

  public static Expressions expressions(RexBuilder rex, List<RexNode> nodes) {
    ExpressionBuilder builder = new ExpressionBuilder(rex);
    List<Expression> made = builder.all(nodes);
    List<String> notSupported = new ArrayList<>(builder.reasons());
    builder.unsupported().forEach(op -> notSupported.add("the function or operator " + ValidationErrors.withoutInternalNames(op)));
    return new Expressions(made, notSupported);
  }

  public static PhysicalPlan of(PlannedQuery query) {
    NodeBuilder builder = new NodeBuilder(query);
    PlanMeaning.Plan meant = PlanMeaning.of(builder.root());
    List<String> notSupported = builder.notSupported();
    return new PhysicalPlan(Properties.complete(meant, notSupported.isEmpty()), builder.columns(), meant.meanings().result(meant.root()),
        meant.meanings().changes(meant.root()), notSupported, builder.refusedAt());
  }
}
