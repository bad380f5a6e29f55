package io.rowtime.plan.physical;

import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.RexOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Replaces a key {@code DATE_FORMAT(time, 'yyyy-MM-dd')} by the day itself, which says when a group is complete, and formats it above the
 * GROUP BY. Two times have the same text if and only if they are in the same unit, because times are of the years 1 to 9999, and the
 * pattern has all fields from the year down to that unit, each with a fixed number of digits.
 */
final class FormattedKeys {
  /** The fields, from the year downwards, each with its letter. */
  private static final Map<Character, TimeUnit> FIELDS = Map.of('y', TimeUnit.YEAR, 'M', TimeUnit.MONTH, 'd', TimeUnit.DAY, 'H', TimeUnit.HOUR,
      'm', TimeUnit.MINUTE, 's', TimeUnit.SECOND);
  private static final List<TimeUnit> ORDER = List.of(TimeUnit.YEAR, TimeUnit.MONTH, TimeUnit.DAY, TimeUnit.HOUR, TimeUnit.MINUTE, TimeUnit.SECOND);
  private static final int YEAR_DIGITS = 4;
  private static final int DIGITS = 2;

  private FormattedKeys() {}

  /**
   * Returns the same groups by such a unit, if no key of theirs makes progress; else the aggregate itself.
   *
   * @param original the aggregate before its input was rewritten, of which the order of rows is known
   */
  static RelNode of(LogicalAggregate aggregate, Aggregate original, OrderAnalysis orders) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE || !(aggregate.getInput() instanceof Project project) || !(original.getInput() instanceof Project)
        || !GroupingSets.progressing(original, orders.of(original.getInput())).isEmpty()) {
      return aggregate;
    }
    RexOrder order = new RexOrder(orders.of(original.getInput().getInput(0)).fields());
    for (int key : aggregate.getGroupSet()) {
      TimeUnit unit = unit(project.getProjects().get(key));
      if (unit != null && order.of(time(project.getProjects().get(key))).monotonicity().increasing() && !isRead(aggregate, key)) {
        return by(aggregate, project, key, unit);
      }
    }
    return aggregate;
  }

  /** Returns whether a call reads a key. */
  private static boolean isRead(Aggregate aggregate, int key) {
    return aggregate.getAggCallList().stream().anyMatch(call -> call.getArgList().contains(key) || call.filterArg == key
        || call.getCollation().getKeys().contains(key));
  }

  private static RexNode time(RexNode formatted) {
    return ((RexCall) formatted).getOperands().get(0);
  }

  private static RelNode by(LogicalAggregate aggregate, Project project, int key, TimeUnit unit) {
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    RexCall formatted = (RexCall) project.getProjects().get(key);
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    columns.set(key, rex.makeCall(SqlStdOperatorTable.FLOOR, time(formatted), rex.makeFlag(TimeUnitRange.of(unit, null))));
    RelNode rows = LogicalProject.create(project.getInput(), project.getHints(), columns, project.getRowType().getFieldNames(), Set.of());
    List<AggregateCall> calls = aggregate.getAggCallList();
    RelNode groups = LogicalAggregate.create(rows, aggregate.getHints(), aggregate.getGroupSet(), null, calls);
    int place = aggregate.getGroupSet().indexOf(key);
    List<RexNode> results = IntStream.range(0, groups.getRowType().getFieldCount()).<RexNode>mapToObj(i -> i != place ? rex.makeInputRef(groups, i)
        : formatted.clone(formatted.getType(), List.of(rex.makeInputRef(groups, i), formatted.getOperands().get(1)))).toList();
    return LogicalProject.create(groups, List.of(), results, aggregate.getRowType().getFieldNames(), Set.of());
  }

  /** Returns the unit within which all times, and no others, have the same text; null if there is none, or another expression is given. */
  private static TimeUnit unit(RexNode key) {
    if (!(key instanceof RexCall call) || !call.getOperator().getName().equals("DATE_FORMAT") || !SqlTypeUtil.isTimestamp(call.getOperands().get(0).getType())
        || !(call.getOperands().get(1) instanceof RexLiteral literal)) {
      return null;
    }
    String pattern = literal.getValueAs(String.class);
    return pattern == null ? null : unit(pattern);
  }

  private static TimeUnit unit(String pattern) {
    EnumSet<TimeUnit> fields = EnumSet.noneOf(TimeUnit.class);
    boolean quoted = false;
    for (int i = 0; i < pattern.length(); ) {
      char letter = pattern.charAt(i);
      int end = i + 1;
      if (letter == '\'') {
        quoted = !quoted;
      } else if (!quoted && "[]{}#".indexOf(letter) >= 0) {
        return null;
      } else if (!quoted && (letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z')) {
        while (end < pattern.length() && pattern.charAt(end) == letter) {
          end++;
        }
        TimeUnit field = FIELDS.get(letter);
        if (field == null || end - i != (field == TimeUnit.YEAR ? YEAR_DIGITS : DIGITS)) {
          return null;
        }
        fields.add(field);
      }
      i = end;
    }
    return fields.isEmpty() || quoted || !fields.equals(EnumSet.copyOf(ORDER.subList(0, fields.size()))) ? null : ORDER.get(fields.size() - 1);
  }
}
