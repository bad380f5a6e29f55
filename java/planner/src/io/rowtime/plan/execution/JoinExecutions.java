package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.TemporalJoinSpec;
import io.rowtime.operator.spec.TimeWindow;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.Expression.Conversion;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.PlanOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins of streams. The operators make the columns that are read of the left input, those of the right one, and ROWTIME, or how often
 * a row is added.
 */
final class JoinExecutions {
  private final PlanNode node;
  private final NodeProperties properties;
  private final List<PhysicalNode> inputs;
  private final Side left;
  private final Side right;

  /** An input: the columns that it has in the result, its time, and its keys. */
  private static final class Side {
    private final PlanNode input;
    private final List<Integer> reads;
    private final InputColumns columns;
    private final List<String> joined = new ArrayList<>();
    private final String time;
    private final List<String> keys;

    /**
     * @param carried columns that the result has too, though they are not fields
     * @param time null if rows have none; in a result that changes, how often a row is added
     */
    Side(PlanNode input, int number, List<Integer> reads, List<Expression> carried, Expression time, List<Expression> keys) {
      this.input = input;
      this.reads = reads;
      this.columns = new InputColumns(number);
      reads.forEach(index -> joined.add(columns.add(column(input, index))));
      carried.forEach(each -> joined.add(columns.add(each)));
      this.time = columns.add(time);
      this.keys = keys.stream().map(key -> columns.add(new Conversion(Expressions.key(key, key.type()), key.type(), true))).toList();
    }

    /** Returns the name of a field. */
    String field(int index) {
      return joined.get(reads.indexOf(index));
    }
  }

  JoinExecutions(PlanNode node, NodeProperties properties, List<PhysicalNode> inputs) {
    this.node = node;
    this.properties = properties;
    this.inputs = inputs;
    if (node.operator() instanceof Operator.TemporalJoin join) {
      left = side(0, arrival(0), join.leftTime(), join.leftKeys());
      right = side(1, arrival(1), join.rightTime(), join.rightKeys());
    } else if (node.operator() instanceof Operator.UpdatingJoin join) {
      left = updating(0, join.rightEnd(), join.leftKeys());
      right = updating(1, join.leftEnd(), join.rightKeys());
    } else {
      Operator.IntervalJoin join = (Operator.IntervalJoin) node.operator();
      left = side(0, List.of(), null, join.leftKeys());
      right = side(1, List.of(), null, join.rightKeys());
    }
  }

  /** @param time the column with the time; null for ROWTIME */
  private Side side(int number, List<Expression> carried, Integer time, List<Expression> keys) {
    PlanNode input = node.input(number);
    return new Side(input, number, properties.reads().get(number), carried, time == null ? Expressions.rowtime(input) : column(input, time), keys);
  }

  /** @param ends when rows of the other input end by the ROWTIME of this one; null if they do not */
  private Side updating(int number, Operator.LastMatch ends, List<Expression> keys) {
    PlanNode input = node.input(number);
    boolean reads = ends == null || properties.reads().get(number).contains(input.rowtimeIndex());
    return new Side(input, number, properties.reads().get(number), reads ? List.of() : List.of(Expressions.rowtime(input)), change(number), keys);
  }

  private Expression change(int number) {
    return ChangeModes.retracts(node.input(number)) ? CarriedColumns.CHANGE : new Expression.Constant(1, "BIGINT", false);
  }

  /** Returns the order of arrival, if rows have one: of several versions of one time, the one that arrived last holds. */
  private List<Expression> arrival(int number) {
    return CarriedColumns.hasArrival(node.input(number)) ? List.of(CarriedColumns.ARRIVAL) : List.of();
  }

  Execution intervals() {
    Operator.IntervalJoin join = (Operator.IntervalJoin) node.operator();
    IntervalJoinSpec spec = new IntervalJoinSpec(IntervalJoinSpec.JoinType.valueOf(join.joinType().name()),
        side(left, 0, join.leftInterval(), join.leftDistinct()), side(right, 1, join.rightInterval(), join.rightDistinct()), "rowtime");
    return execution(spec, join.condition(), spec.hasRight(), null);
  }

  private IntervalJoinSpec.Side side(Side side, int number, Operator.Interval interval, boolean distinct) {
    return new IntervalJoinSpec.Side(side.keys, side.joined, side.time, EngineTimes.micros(interval.from()), EngineTimes.micros(interval.to()),
        interval.rows(), interval.window() == null ? null : window(interval.window()), EngineTimes.clock(Expressions.clock(side.input)),
        arrivals(number), distinct);
  }

  private static TimeWindow window(ClockStep step) {
    return step.isCalendar() ? new TimeWindow(0, 0, step.unit().multiplier.intValue())
        : new TimeWindow(EngineTimes.micros(step.millis()), EngineTimes.micros(step.offset()), 0);
  }

  Execution versions() {
    Operator.TemporalJoin join = (Operator.TemporalJoin) node.operator();
    String seq = arrival(1).isEmpty() ? null : right.joined.get(right.reads.size());
    TemporalJoinSpec spec = new TemporalJoinSpec(TemporalJoinSpec.JoinType.valueOf(join.joinType().name()), side(left, 0), side(right, 1),
        EngineTimes.micros(join.shift()), join.inclusive(), EngineTimes.micros(join.within()), join.identity().stream().map(right::field).toList(),
        join.oneTask(), seq, "rowtime");
    Expression arrival = arrival(0).isEmpty() ? null : new ColumnRef(left.reads.size(), CarriedColumns.ARRIVAL.type(), true);
    return execution(spec, join.condition(), true, arrival);
  }

  Execution updates() {
    Operator.UpdatingJoin join = (Operator.UpdatingJoin) node.operator();
    boolean onlyAdds = !ChangeModes.retracts(node);
    UpdatingJoinSpec spec = new UpdatingJoinSpec(UpdatingJoinSpec.JoinType.valueOf(join.joinType().name()),
        side(left, 0, join.rightEnd(), join.leftEnd()), side(right, 1, join.leftEnd(), join.rightEnd()), onlyAdds);
    Execution made = execution(spec, join.condition(), spec.hasRight(), null);
    Expression changes = new ColumnRef(left.joined.size() + (spec.hasRight() ? right.joined.size() : 0), "BIGINT", false);
    return new Execution(made.steps(), made.outputs(), null, null, onlyAdds ? null : changes, List.of());
  }

  /**
   * @param ofOther when rows of the other input end
   * @param end when its own rows end
   */
  private UpdatingJoinSpec.Side side(Side side, int number, Operator.LastMatch ofOther, Operator.LastMatch end) {
    int rowtime = side.reads.indexOf(side.input.rowtimeIndex());
    return new UpdatingJoinSpec.Side(side.keys, side.joined, side.time,
        ofOther == null ? null : new UpdatingJoinSpec.Progress(side.joined.get(rowtime < 0 ? side.reads.size() : rowtime),
            EngineTimes.clock(Expressions.clock(side.input)), arrivals(number)),
        end == null ? null : new UpdatingJoinSpec.End(side.field(end.column()), EngineTimes.micros(end.millis())));
  }

  private TemporalJoinSpec.Side side(Side side, int number) {
    return new TemporalJoinSpec.Side(side.keys, side.joined, side.time, EngineTimes.clock(Expressions.clock(side.input)), arrivals(number));
  }

  private Arrivals arrivals(int number) {
    return EngineTimes.arrivals(properties.arrivals().get(number));
  }

  /**
   * @param hasRight whether the operator makes columns of the right input
   * @param arrival the order of arrival of the result; null if it has none
   */
  private Execution execution(OperatorSpec spec, Expression condition, boolean hasRight, Expression arrival) {
    int width = left.input.columns().size();
    int rowtime = left.joined.size() + (hasRight ? right.joined.size() : 0);
    Expression time = new ColumnRef(rowtime, Expressions.TIMESTAMP, true);
    List<Expression> outputs = new ArrayList<>();
    for (int i = 0; i < node.columns().size(); i++) {
      boolean isTime = i == node.rowtimeIndex() || i == width + right.input.columns().size();
      int place = isTime ? rowtime : i < width ? left.reads.indexOf(i) : right.reads.indexOf(i - width);
      String type = node.columns().get(i).type();
      // What is not read has not been carried along.
      outputs.add(isTime ? time : place < 0 ? new Expression.Constant(null, type, true)
          : new ColumnRef(i < width ? place : left.joined.size() + place, type, true));
    }
    List<Expression> over = condition == null ? List.of() : List.of(condition.over(ref -> new ColumnRef(ref.index() < width ? left.reads.indexOf(ref.index())
        : left.columns.count() + right.reads.indexOf(ref.index() - width), ref.type(), ref.nullable())));
    boolean waits = node.kind() != PlanOperator.UPDATING_JOIN;
    List<Execution.Input> given = List.of(new Execution.Input(null, left.columns.columns(), waits ? inputs.get(0).boundSource() : null),
        new Execution.Input(null, right.columns.columns(), waits ? inputs.get(1).boundSource() : null));
    return new Execution(List.of(new Execution.Step(given, spec, over)), outputs, node.rowtimeIndex() < 0 ? time : null, arrival, null, List.of());
  }
}
