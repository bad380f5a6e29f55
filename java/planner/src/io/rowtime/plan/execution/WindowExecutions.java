package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;
import static io.rowtime.plan.execution.Expressions.timestamp;

import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** OVER on streams: one step for each pass over the rows. */
final class WindowExecutions {
  private final PlanNode node;
  private final Operator.Window operator;
  private final NodeProperties properties;
  private final WholeRows rows;
  /** For each window: its calls, and the number of their first result. */
  private final CallColumns[] calls;
  private final int[] firsts;
  private int results;

  WindowExecutions(PlanNode node, NodeProperties properties) {
    this.node = node;
    this.operator = (Operator.Window) node.operator();
    this.properties = properties;
    this.rows = new WholeRows(node.input(0), properties.stored().get(0));
    this.calls = new CallColumns[operator.windows().size()];
    this.firsts = new int[calls.length];
  }

  Execution windows() {
    for (int i = 0; i < operator.passes().size(); i++) {
      if (i > 0) {
        rows.next();
      }
      pass(i);
    }
    List<Expression> values = new ArrayList<>();
    for (int window = 0; window < calls.length; window++) {
      List<OverWindow.OverCall> asked = operator.windows().get(window).calls();
      int first = firsts[window];
      for (int i = 0; i < asked.size(); i++) {
        values.add(calls[window].value(i, result -> rows.place(first + result), asked.get(i).type(), asked.get(i).nullable()));
      }
    }
    return rows.execution(node, values, List.of());
  }

  private void pass(int number) {
    OverWindow.Pass pass = operator.passes().get(number);
    String time = rows.time(pass.time() == null ? null : time(pass.time().index()));
    List<ClockStep> clock = pass.time() == null ? pass.clock() : pass.time().clock();
    List<Window> windows = pass.windows().stream().map(window -> window(window, pass.time(), time)).toList();
    String closes = pass.closes() == null ? null
        : rows.columns().add(new Expression.Reached(pass.closes(), pass.clock(), Expressions.TIMESTAMP, true));
    List<Integer> partition = operator.windows().get(pass.windows().get(0)).partition();
    OverSpec spec = new OverSpec(rows.partition(partition), time, clock == null ? null : EngineTimes.clock(clock), rows.arrival(),
        EngineTimes.arrivals(properties.arrivals().get(number)), closes, windows);
    rows.run(spec, pass.windows().stream().flatMap(window -> calls[window].types().stream()).toList());
  }

  private Window window(int number, OverWindow.PassTime passTime, String time) {
    OverWindow window = operator.windows().get(number);
    calls[number] = new CallColumns(window.operator(), IntStream.range(0, window.calls().size()).boxed().toList(), "w" + number + "r", rows.columns());
    firsts[number] = results;
    List<Call> made = calls[number].calls();
    results += made.size();
    List<Order> order = new ArrayList<>(window.order().stream().map(rows::order).toList());
    if (window.byTime()) {
      order.set(0, new Order(time, order.get(0).descending(), order.get(0).nullsFirst()));
    }
    long unit = passTime == null ? 1 : unit(passTime.index());
    OverWindow.Frame frame = window.frame();
    return new Window(order, frame.rows(), bound(frame.rows(), frame.lower(), unit), bound(frame.rows(), frame.upper(), unit), made);
  }

  /** @param unit what 1 is in the time that orders the rows */
  static Bound bound(boolean rows, OverWindow.Border border, long unit) {
    Bound.Kind kind = Bound.Kind.valueOf(border.kind().name());
    if (border.offset() == null) {
      return new Bound(kind, null);
    }
    Expression.Constant offset = (Expression.Constant) border.offset();
    BigDecimal distance = new BigDecimal(offset.value().toString());
    long size = rows ? 1 : Expressions.isDayTime(offset.type()) ? EngineTimes.micros(1) : unit;
    return new Bound(kind, rows ? new BigDecimal(distance.toBigInteger()) : distance.multiply(BigDecimal.valueOf(size)));
  }

  /** Returns a time that orders rows like a column; a number counts as that many microseconds. */
  private Expression time(int index) {
    Expression column = column(rows.input(), index);
    return Expressions.isNumber(column.type()) ? new Expression.CountedTime(column, unit(index), Expressions.TIMESTAMP, true)
        : timestamp(column);
  }

  private long unit(int index) {
    String type = rows.input().columns().get(index).type();
    return Expressions.isNumber(type) ? BigDecimal.TEN.pow(Expressions.scale(type)).longValueExact() : 1;
  }
}
