package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.rel.HopWindows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** GROUP BY emits groups as their monotonic key advances. The leading time among the keys is the new ROWTIME. */
final class AggregateOrder implements RelOrder<Aggregate> {

  @Override public NodeOrder derive(Aggregate aggregate, List<NodeOrder> inputs) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<FieldOrder> fields = new ArrayList<>();
    NodeOrder input = inputs.get(0);
    int closing = new PartitionClosing(input).key(GroupingSets.common(aggregate));
    boolean simple = aggregate.getGroupType() == Aggregate.Group.SIMPLE;
    for (int key : keys) {
      if (!GroupingSets.common(aggregate).get(key)) {
        fields.add(FieldOrder.NONE);
        continue;
      }
      FieldOrder order = input.fields().get(key);
      boolean closes = key == closing || !order.derivesFromRowtime() || isSameWindow(aggregate.getInput(), key, closing);
      order = closes ? order.settled(0) : order.settled(disorder(input, order, closing)).withSteps(steps(input, order, closing));
      if (order.disorder() == Modulus.UNLIMITED) {
        fields.add(FieldOrder.NONE);
        continue;
      }
      Monotonicity monotonicity = order.monotonicity();
      if (keys.size() > 1 || !simple) {
        monotonicity = monotonicity.unstrict();
      } else if (monotonicity.increasing()) {
        monotonicity = Monotonicity.STRICTLY_INCREASING;
      } else if (monotonicity.decreasing()) {
        monotonicity = Monotonicity.STRICTLY_DECREASING;
      }
      fields.add(order.with(monotonicity));
    }
    fields.addAll(Collections.nCopies(aggregate.getAggCallList().size(), FieldOrder.NONE));
    int rowtime = rowtime(aggregate, fields, keys.size());
    return new NodeOrder(fields, rowtime < 0 ? null : fields.get(rowtime).steps(), rowtime);
  }

  /**
   * Returns how far a key may be behind that of a group that was complete earlier: groups are emitted in order of the
   * key that closes.
   */
  private static long disorder(NodeOrder input, FieldOrder key, int closing) {
    long spread = closing < 0 ? 0 : input.fields().get(closing).spread();
    List<ClockStep> steps = ClockStep.relative(key.steps(), input.clock());
    return steps == null ? Modulus.UNLIMITED : Modulus.plus(key.spread(), ClockStep.apart(steps, spread));
  }

  /**
   * Returns the steps from the clock to a key of the groups that are not complete yet; null if none are known. Groups
   * wait for the key that closes, and another key's values may have passed by then.
   */
  private static List<ClockStep> steps(NodeOrder input, FieldOrder key, int closing) {
    FieldOrder closes = closing < 0 ? null : input.fields().get(closing);
    if (closes == null || closes.spread() == 0 && ClockStep.relative(key.steps(), closes.steps()) != null) {
      return key.steps();
    }
    List<ClockStep> ofRow = ClockStep.relative(key.steps(), input.clock());
    List<ClockStep> toClosing = ClockStep.relative(closes.steps(), input.clock());
    if (ofRow == null || toClosing == null || ClockStep.anyLocal(toClosing) || closes.spread() == Modulus.UNLIMITED) {
      return null;
    }
    List<ClockStep> ofGroup = ClockStep.withShift(closes.steps(), -ClockStep.furthest(toClosing) - closes.spread());
    int last = ofGroup.size() - 1;
    List<ClockStep> steps = new ArrayList<>(
        !ofRow.isEmpty() && last >= 0 && ofRow.get(0).coarsens(ofGroup.get(last)) ? ofGroup.subList(0, last) : ofGroup);
    steps.addAll(ofRow);
    return steps;
  }

  /** Returns whether two columns are the start or the end of the same windows of a HOP. */
  private static boolean isSameWindow(RelNode input, int one, int other) {
    RelNode rel = input;
    int left = one;
    int right = other;
    while (right >= 0 && (rel instanceof Project || rel instanceof Filter)) {
      if (rel instanceof Project project) {
        if (!(project.getProjects().get(left) instanceof RexInputRef first) || !(project.getProjects().get(right) instanceof RexInputRef second)) {
          return false;
        }
        left = first.getIndex();
        right = second.getIndex();
      }
      rel = rel.getInput(0);
    }
    return rel instanceof HopWindows hop && Math.min(left, right) >= hop.getInput().getRowType().getFieldCount();
  }

  private static int rowtime(Aggregate aggregate, List<FieldOrder> fields, int keyCount) {
    int leading = -1;
    for (int i = keyCount - 1; i >= 0; i--) {
      boolean time = SqlTypeUtil.isDatetime(aggregate.getRowType().getFieldList().get(i).getType());
      if (time && fields.get(i).derivesFromRowtime()) {
        leading = i;
        if (aggregate.getRowType().getFieldNames().get(i).equals(CatalogObject.ROWTIME)) {
          return i;
        }
      }
    }
    return leading;
  }
}
