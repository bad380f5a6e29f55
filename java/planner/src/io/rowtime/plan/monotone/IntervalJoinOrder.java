package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.IntervalJoin.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.JoinRelType;

/**
 * Pairs of rows are emitted in the order of the time at which both are present. A column that follows from the ROWTIME
 * of one side is therefore behind by as long as rows of that side stay, and out of order by the variation of that stay.
 * The bound of the result is the least bound of the sides, each shifted by when its rows start to be present.
 */
final class IntervalJoinOrder implements RelOrder<IntervalJoin> {

  @Override public NodeOrder derive(IntervalJoin join, List<NodeOrder> inputs) {
    NodeOrder left = inputs.get(0);
    NodeOrder right = inputs.get(1);
    JoinRelType type = join.getJoinType();
    List<ClockStep> clock = clock(join, inputs);
    List<FieldOrder> fields = fields(join, inputs, clock, true);
    boolean byLeft = join.leftInterval().isPoint() && !type.generatesNullsOnLeft();
    boolean byRight = join.rightInterval().isPoint() && !type.generatesNullsOnRight();
    int rowtime = byLeft && left.rowtime() >= 0 ? left.rowtime()
        : byRight && right.rowtime() >= 0 ? left.fields().size() + right.rowtime() : -1;
    return new NodeOrder(fields, clock, join.hasRowtime() ? fields.size() - 1 : rowtime);
  }

  /** The columns of rows that have a match. */
  static List<FieldOrder> ofMatches(IntervalJoin join, List<NodeOrder> inputs) {
    return fields(join, inputs, clock(join, inputs), false);
  }

  private static List<ClockStep> clock(IntervalJoin join, List<NodeOrder> inputs) {
    NodeOrder left = inputs.get(0);
    NodeOrder right = inputs.get(1);
    List<ClockStep> exact = ClockStep.least(begins(left, join.leftInterval()), begins(right, join.rightInterval()));
    return exact != null ? exact : ClockStep.least(earliest(left, join.leftInterval()), earliest(right, join.rightInterval()));
  }

  /** @param unmatched whether there are rows without a match, too */
  private static List<FieldOrder> fields(IntervalJoin join, List<NodeOrder> inputs, List<ClockStep> clock, boolean unmatched) {
    JoinRelType type = join.getJoinType();
    List<FieldOrder> fields = new ArrayList<>(fields(inputs.get(0), join.leftInterval(), clock, unmatched && type.generatesNullsOnLeft()));
    if (type.projectsRight()) {
      fields.addAll(fields(inputs.get(1), join.rightInterval(), clock, unmatched && type.generatesNullsOnRight()));
    }
    if (join.hasRowtime()) {
      fields.add(clock == null ? FieldOrder.NONE : FieldOrder.byClock(clock, 0, 0));
    }
    return fields;
  }

  private static List<ClockStep> begins(NodeOrder input, Interval interval) {
    return input.hasClock() && interval.beginsWithWindow() ? rounded(input.clock(), interval.window()) : earliest(input, interval);
  }

  private static List<ClockStep> earliest(NodeOrder input, Interval interval) {
    return input.hasClock() ? ClockStep.withShift(input.clock(), interval.earliest()) : null;
  }

  private static List<ClockStep> rounded(List<ClockStep> steps, ClockStep floor) {
    int last = steps.size() - 1;
    List<ClockStep> all = new ArrayList<>(last >= 0 && floor.coarsens(steps.get(last)) ? steps.subList(0, last) : steps);
    all.add(floor);
    return all;
  }

  private static List<FieldOrder> fields(NodeOrder input, Interval interval, List<ClockStep> clock, boolean nullable) {
    return IntStream.range(0, input.fields().size()).mapToObj(i -> field(i, input, interval, clock, nullable)).toList();
  }

  private static FieldOrder field(int index, NodeOrder input, Interval interval, List<ClockStep> clock, boolean nullable) {
    FieldOrder field = input.fields().get(index);
    if (field.monotonicity() == Monotonicity.CONSTANT && !nullable) {
      return field;
    }
    List<ClockStep> steps = field.derivesFromRowtime() && input.hasClock() && clock != null
        ? ClockStep.relative(field.steps(), input.clock()) : null;
    if (steps == null || interval.rows() > 0 || nullable || !field.monotonicity().increasing()) {
      return FieldOrder.NONE;
    }
    // The join sorts rows by their ROWTIME, which itself may be past its clock.
    long past = input.rowtime() < 0 ? 0 : input.fields().get(input.rowtime()).spread();
    long own = index == input.rowtime() ? 0 : Modulus.plus(field.spread(), ClockStep.apart(steps, past));
    long apart = interval.latest() - interval.earliest();
    ClockStep window = interval.window();
    boolean ofWindow = window != null && !steps.isEmpty() && steps.get(0).coarsens(window);
    if (window == null || !ofWindow && apart < window.longest() - 1) {
      List<ClockStep> all = new ArrayList<>(ClockStep.withShift(clock, -interval.latest()));
      all.addAll(steps);
      return sorted(all, Modulus.plus(own, ClockStep.apart(steps, apart)));
    }
    // The ROWTIME of the result lies in the window of the row.
    List<ClockStep> all = rounded(clock, ofWindow ? steps.get(0) : window);
    all.addAll(ofWindow ? steps.subList(1, steps.size()) : steps);
    return sorted(all, Modulus.plus(own, ofWindow ? 0 : ClockStep.apart(steps, window.longest() - 1)));
  }

  /** Returns the order of a time that is past the one that the clock gives by at most {@code spread}. */
  private static FieldOrder sorted(List<ClockStep> steps, long spread) {
    return FieldOrder.byClock(steps, spread, spread);
  }
}
