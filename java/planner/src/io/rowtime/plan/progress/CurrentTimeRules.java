package io.rowtime.plan.progress;

import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.CurrentTime;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.TemporalFilter;
import io.rowtime.plan.rel.Variation;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Checks expressions that do not depend on a row alone: the current time, and functions that are not deterministic. A row of a result
 * that changes must be retracted as it was added.
 */
final class CurrentTimeRules {
  private final RelNode root;
  private final StreamingNodes streams;
  private final OrderAnalysis orders;

  CurrentTimeRules(PlannedQuery plan) {
    root = plan.rel();
    streams = plan.streams();
    orders = plan.orders();
  }

  /**
   * Returns what is wrong with an operator of a streaming query; null if nothing is.
   *
   * @param mayChange whether somebody reads the changes of its result
   */
  Problem check(RelNode rel, boolean mayChange) {
    if (!mayChange) {
      return rel instanceof TemporalFilter || conditions(rel).anyMatch(CurrentTime::goesOn) ? unread() : null;
    }
    return rel instanceof TemporalFilter && !hasTime(rel)
        ? Problem.error("RT0218", "The current time of a result that changes is the ROWTIME of the streams below, and here is none", "read a stream whose ROWTIME"
            + " is the time; a query without STREAM that reads the tables takes the time of the system")
        : changing(rel);
  }

  private static Problem unread() {
    return Problem.error(ProgressRules.CHANGES, "Rows enter and leave the result of a condition on the current time as time goes on", "read the changes of the"
        + " result, by TO_CHANGELOG((SELECT …)); a pump can also insert the result into a table with a PRIMARY KEY. To decide once, by the clock of the machine when"
        + " a row is processed, compare with PROCTIME()");
  }

  /** Returns whether a stream with a ROWTIME is below a node. */
  private boolean hasTime(RelNode below) {
    return Plans.nodes(below).anyMatch(rel -> rel instanceof TableScan && !(rel instanceof ChangeScan) && orders.clockColumn(rel) >= 0
        && SqlTypeUtil.isDatetime(rel.getRowType().getFieldList().get(orders.clockColumn(rel)).getType()));
  }

  /** Returns the conditions by which an operator chooses rows. */
  private static Stream<RexNode> conditions(RelNode rel) {
    if (rel instanceof Filter filter) {
      return Stream.of(filter.getCondition());
    } else if (rel instanceof Join join) {
      return Stream.of(join.getCondition());
    } else if (rel instanceof Aggregate aggregate && aggregate.getInput() instanceof Project project) {
      return aggregate.getAggCallList().stream().filter(AggregateCall::hasFilter).map(call -> project.getProjects().get(call.filterArg));
    }
    return Stream.of();
  }

  /** Refuses expressions that would make of a row that is retracted another one than it was, and conditions that nothing would check again. */
  private Problem changing(RelNode rel) {
    if (isUncheckedCondition(rel)) {
      return Problem.error("RT0218", "A condition on the current time of a result that changes must compare a time with NOW(), earlier or later by a constant, by <, <=, >"
          + " or >=, in WHERE or in an inner join", "write conditions such as ts > NOW() - INTERVAL '1' DAY AND ts <= NOW(); of a month, write how many days");
    } else if (rel instanceof Project project && project.getProjects().stream().anyMatch(CurrentTime::in)
        && !orders.of(project.getInput()).hasClock()) {
      return Problem.error("RT0218", "The current time cannot be a value of a result that changes: a row could not be retracted as it was added",
          "select a time of the rows, such as MAX(ROWTIME)");
    } else if (varies(rel)) {
      return Problem.error("RT0218", "A function that is not deterministic cannot be applied to rows that change: a row could not be retracted as it was added",
          "apply it to the rows of a stream, below GROUP BY and joins; if a function always returns the same for the same arguments, create it as DETERMINISTIC");
    }
    return null;
  }

  private boolean isUncheckedCondition(RelNode rel) {
    return rel instanceof Filter filter && CurrentTime.in(filter.getCondition())
        || isOfStreams(rel) && CurrentTime.in(((Join) rel).getCondition())
        || rel instanceof Project project && project.getProjects().stream().anyMatch(CurrentTime::inCondition) && isBelowChanges(project);
  }

  /** Returns whether what a node computes of rows that can be retracted may be something else the next time. */
  private boolean varies(RelNode rel) {
    if (rel instanceof Project project) {
      return project.getProjects().stream().anyMatch(Variation::varies) && !orders.of(project.getInput()).hasClock();
    }
    return rel instanceof Filter filter && Variation.varies(filter.getCondition()) && !orders.of(filter.getInput()).hasClock()
        || isOfStreams(rel) && Variation.varies(((Join) rel).getCondition()) && !orders.of(rel).hasClock();
  }

  private boolean isOfStreams(RelNode rel) {
    return rel instanceof Join join && streams.contains(join.getLeft()) && streams.contains(join.getRight());
  }

  /** Returns whether a node above one, or itself, has rows that can be retracted. */
  private boolean isBelowChanges(RelNode rel) {
    return Plans.nodes(root).anyMatch(above -> streams.contains(above) && !orders.of(above).hasClock() && Plans.nodes(above).anyMatch(node -> node == rel));
  }
}
