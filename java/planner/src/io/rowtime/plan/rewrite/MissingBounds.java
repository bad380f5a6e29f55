package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The limit on time that the conditions of a join of streams lack, and the remedy. */
public record MissingBounds(String message, String hint) {
  private static final String WHOLE = "Cannot join two whole streams: ";

  public static MissingBounds of(Join join, OrderAnalysis orders) {
    String left = name(join.getLeft());
    String right = name(join.getRight());
    for (RelNode input : join.getInputs()) {
      NodeOrder order = orders.of(input);
      if (order.clock() == null) {
        return new MissingBounds(WHOLE + "every row of both would have to be kept forever", "the rows of '" + name(input)
            + "' have no ROWTIME in order, which alone limits how long a row is kept: " + remedy(input));
      }
    }
    TimeBounds bounds = new TimeBounds(join, orders);
    TimeBounds.Distance distance = bounds.of(List.of(join.getCondition()));
    String unknown = unknown(join, bounds);
    if (distance.least() == null && distance.most() == null) {
      return new MissingBounds(WHOLE + "every row of both would have to be kept forever", unknown + "put a window on them "
          + "(FROM a OVER (RANGE INTERVAL '1' HOUR PRECEDING) JOIN b …), or compare their ROWTIMEs in ON from both sides"
          + (isJoin(join.getLeft()) ? "; a stream is limited by those that are joined before it" : ""));
    }
    boolean later = distance.most() == null;
    return new MissingBounds(WHOLE + "a row of the right one ('" + right + "') can be any time " + (later ? "later" : "earlier")
        + " than its match in the left one ('" + left + "')", unknown + "compare their ROWTIMEs from that side as well, as in b.ROWTIME "
        + (later ? "< a.ROWTIME +" : "> a.ROWTIME -") + " INTERVAL '1' HOUR");
  }

  private static String remedy(RelNode input) {
    return isJoin(input) || !(source(input) instanceof TableScan) ? "select ROWTIME, or group by a function of it"
        : "declare a TIMESTAMP column with LATENESS, or insert the rows into a stream";
  }

  /** Returns the part of the hint on times that the condition compares, at an unknown distance from ROWTIME; empty if there are none. */
  private static String unknown(Join join, TimeBounds bounds) {
    Set<String> columns = new TreeSet<>();
    join.getCondition().accept(new RexVisitorImpl<Void>(true) {
      @Override public Void visitCall(RexCall call) {
        if (call.isA(SqlKind.COMPARISON) && call.getOperands().stream().allMatch(side -> SqlTypeUtil.isDatetime(side.getType()))) {
          call.getOperands().stream().filter(bounds::isUnknownTime).forEach(side -> add(side, join, columns));
        }
        return super.visitCall(call);
      }
    });
    return columns.isEmpty() ? "" : "nothing says how far " + columns.stream().map(column -> "'" + column + "'").collect(Collectors.joining(", "))
        + (columns.size() == 1 ? " is" : " are") + " from ROWTIME; ";
  }

  private static void add(RexNode time, Join join, Set<String> columns) {
    int width = join.getLeft().getRowType().getFieldCount();
    RelOptUtil.InputFinder.bits(time).forEach(column -> columns.add(column < width ? join.getLeft().getRowType().getFieldNames().get(column)
        : join.getRight().getRowType().getFieldNames().get(column - width)));
  }

  private static boolean isJoin(RelNode rel) {
    return source(rel) instanceof Join;
  }

  private static String name(RelNode rel) {
    return source(rel) instanceof TableScan scan ? scan.getTable().getQualifiedName().get(scan.getTable().getQualifiedName().size() - 1)
        : source(rel) instanceof Join join ? name(join.getLeft()) + ", " + name(join.getRight()) : "sub-query";
  }

  private static RelNode source(RelNode rel) {
    return rel.getInputs().size() == 1 ? source(rel.getInput(0)) : rel;
  }
}
