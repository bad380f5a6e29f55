package io.rowtime.plan;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.StateBound;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A physical plan as text: a line for each node, from the result to the sources, and below it what has been decided about it.
 * Components that are null, false or empty are left out, so that a plan shows what is special about it.
 */
final class PlanText {
  private static final int WIDTH = 140;
  /** Expressions whose errors end the query, as they do by default. */
  private static final String USUAL_FAULTS = "Fallible(onError=FAIL)";

  private final List<String> lines = new ArrayList<>();

  private PlanText() {}

  static List<String> of(PhysicalNode root) {
    PlanText text = new PlanText();
    text.add(root, "");
    return text.lines;
  }

  private void add(PhysicalNode physical, String indent) {
    PlanNode node = physical.node();
    wrap(indent, node.kind().op() + " -> " + node.columns().stream().map(column -> column(column, node)).collect(Collectors.joining(", ")));
    String inner = indent + "  . ";
    for (RecordComponent component : node.operator().getClass().getRecordComponents()) {
      field(inner, component.getName(), component(node.operator(), component));
    }
    NodeProperties properties = physical.properties();
    if (node.streaming()) {
      field(inner, "clock", node.clock() == null ? "none" : node.clock().isEmpty() ? "the source's" : node.clock());
    }
    field(inner, "state", node.state().size() == StateBound.Size.NONE ? null : state(node.state()));
    field(inner, "changes", properties.changes() == NodeProperties.ChangeMode.APPEND ? null : properties.changes().word());
    field(inner, "unique", properties.unique());
    field(inner, "needs", properties.needs());
    field(inner, "stored", properties.stored());
    if (physical.execution() != null) {
      execution(inner, physical.execution());
    }
    physical.inputs().forEach(input -> add(input, indent + "  "));
  }

  private void execution(String indent, Execution execution) {
    for (Execution.Step step : execution.steps()) {
      field(indent, "runs", name(step.spec().getClass()));
      for (RecordComponent component : step.spec().getClass().getRecordComponents()) {
        field(indent + "  ", component.getName(), component(step.spec(), component));
      }
      step.inputs().forEach(input -> field(indent + "  ", "input", input));
      field(indent + "  ", "expressions", step.expressions());
    }
    field(indent, "outputs", execution.outputs());
  }

  private void field(String indent, String name, Object value) {
    String text = value(value);
    if (text != null && !text.equals(USUAL_FAULTS)) {
      wrap(indent, name + " " + text);
    }
  }

  private void wrap(String indent, String text) {
    String left = indent;
    String rest = text;
    while (left.length() + rest.length() > WIDTH) {
      int at = rest.lastIndexOf(", ", WIDTH - left.length());
      if (at < 0) {
        break;
      }
      lines.add(left + rest.substring(0, at + 1));
      rest = rest.substring(at + 2);
      left = " ".repeat(indent.length() + 4);
    }
    lines.add(left + rest);
  }

  private static String column(Column column, PlanNode node) {
    return column.name() + " " + column.type() + (column.nullable() ? "" : " NOT NULL")
        + (column.monotonicity() == Monotonicity.NOT_MONOTONIC ? "" : " " + column.monotonicity().name().toLowerCase(Locale.ROOT))
        + (column.disorder() > 0 ? " within " + Duration.ofMillis(column.disorder()) : "") + (column.name().equals(node.rowtime()) ? "*" : "");
  }

  private static String state(StateBound state) {
    return state.size().word() + (state.retention() == null ? "" : " for " + state.retention()) + ": " + state.why();
  }

  /** Returns the text of a value; null if it says nothing. */
  private static String value(Object value) {
    if (value == null || value.equals(false) || value instanceof Collection<?> all && all.isEmpty()) {
      return null;
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(PlanText::item).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return map.isEmpty() ? null : map.entrySet().stream().map(entry -> entry.getKey() + "=" + item(entry.getValue())).collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof Expression expression) {
      return expression(expression);
    }
    if (value instanceof ClockStep step) {
      String length = step.unit() != null ? step.unit().name() : step.zone() != null ? step.zone() : Duration.ofMillis(step.millis()).toString();
      return step.function() + " " + length + (step.offset() == 0 ? "" : " from " + Duration.ofMillis(step.offset()));
    }
    if (value instanceof Operator.HopKey) {
      return value.toString();
    }
    return value instanceof Record record ? record(record) : value.toString();
  }

  private static String item(Object value) {
    String text = value(value);
    return text != null ? text : value == null ? "null" : value.equals(false) ? "false" : "[]";
  }

  private static String record(Record record) {
    List<String> parts = new ArrayList<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      String text = value(component(record, component));
      if (text != null) {
        parts.add(component.getName() + "=" + text);
      }
    }
    return name(record.getClass()) + "(" + String.join(", ", parts) + ")";
  }

  private static String expression(Expression expression) {
    if (expression instanceof Expression.ColumnRef ref) {
      return "$" + ref.index();
    }
    if (expression instanceof Expression.Constant constant) {
      return constant.value() instanceof String text ? "'" + text + "'" : String.valueOf(constant.value());
    }
    if (expression instanceof Expression.Keyword keyword) {
      return keyword.word();
    }
    String arguments = expression.args().stream().map(PlanText::expression).collect(Collectors.joining(", ", "(", ")"));
    if (expression instanceof Expression.Call call) {
      return call.op() + arguments;
    }
    if (expression instanceof Expression.Cast cast) {
      return (cast.safe() ? "try_cast(" : "cast(") + expression(cast.arg()) + " as " + cast.type() + ")";
    }
    if (expression instanceof Expression.FunctionCall call) {
      return call.name() + arguments;
    }
    return record((Record) expression);
  }

  private static String name(Class<?> type) {
    return type.getSimpleName();
  }

  private static Object component(Object record, RecordComponent component) {
    try {
      // Records within a package are not public.
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

}
