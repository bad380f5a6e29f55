package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.TemporalJoin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Refuses a ROWTIME whose values are not in order in the output of a join of streams. */
public final class JoinRules {
  private JoinRules() {}

  public static List<Diagnostic> check(PlannedQuery plan, SqlParserPos statement) {
    List<Diagnostic> found = new ArrayList<>();
    Plans.nodes(plan.rel()).filter(Project.class::isInstance).map(Project.class::cast).forEach(project -> {
      int named = project.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
      if (named >= 0 && isOverJoin(project.getInput()) && plan.streams().contains(project)) {
        String problem = problem(plan.orders().of(project).fields().get(named));
        if (problem != null) {
          found.add(Diagnostic.error("RT0209", plan.origins().rowtime(project, statement), "ROWTIME must be increasing, and "
              + RowtimeRules.describe(project.getProjects().get(named)) + " " + problem,
              "give it another name, as in o.ROWTIME AS ordered_at: the rows then have the ROWTIME of the join"));
        }
      }
    });
    Plans.nodes(plan.rel()).filter(JoinRules::isAsof).forEach(join -> found.add(Diagnostic.warning("RT0250", plan.origins().place(join, statement),
        "State is kept for every value of the keys in ON that ever occurs",
        "make sure that their number is limited; a join within a window of time keeps only the window")));
    return found.stream().distinct().toList();
  }

  /**
   * Returns whether a join keeps the latest row of each key, and those keys are not known to be the primary key of a
   * table.
   */
  private static boolean isAsof(RelNode rel) {
    return rel instanceof TemporalJoin join && join.version().identity().isEmpty() && !join.version().fromBeginning() && join.version().within() == null
        && !join.keys().right().isEmpty();
  }

  private static String problem(FieldOrder order) {
    if (!order.monotonicity().increasing()) {
      return "is NULL in unmatched rows, or may be that of any earlier row in a window of ROWS";
    }
    return order.disorder() == 0 ? null : "may be " + Duration.ofMillis(order.disorder())
        + " behind that of earlier rows: rows come out in order of the time when both sides are in their windows";
  }

  /** Returns whether rows arrive in the output order of a join below. */
  static boolean isOverJoin(RelNode rel) {
    if (rel instanceof LookupJoin lookup) {
      return isOverJoin(lookup.getInput(lookup.streamOnLeft() ? 0 : 1));
    }
    if (rel instanceof SearchKeyJoin search) {
      return isOverJoin(search.getLeft());
    }
    if (rel instanceof TemporalJoin temporal) {
      return isOverJoin(temporal.getLeft());
    }
    return rel instanceof IntervalJoin || rel.getInputs().size() == 1 && !(rel instanceof Aggregate)
        && !(rel instanceof Sort) && isOverJoin(rel.getInput(0));
  }
}
