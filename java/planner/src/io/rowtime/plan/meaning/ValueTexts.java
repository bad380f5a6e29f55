package io.rowtime.plan.meaning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.rel.SnapshotScan;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The texts of values that are their own meaning, in the form of JSON. Saved state is compared by them, so that they stay as they
 * are.
 */
final class ValueTexts {
  private ValueTexts() {}

  static String of(Object value) {
    if (value instanceof List<?> values) {
      return values.stream().map(ValueTexts::of).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof ClockStep step) {
      return step(step);
    }
    if (value instanceof Operator.Interval interval) {
      return "{\"from\":" + interval.from() + (interval.window() == null ? "" : ",\"window\":" + step(interval.window()))
          + ",\"to\":" + interval.to() + ",\"rows\":" + interval.rows() + "}";
    }
    if (value instanceof SnapshotScan.AsOf version) {
      return "{\"by\":\"" + version.by() + "\",\"time\":" + version.time() + ",\"shift\":" + version.shift() + "}";
    }
    return String.valueOf(value);
  }

  /** Returns a constant of a list as JSON has it. */
  static String quoted(Object value) {
    return value instanceof String text ? TextNode.valueOf(text).toString() : String.valueOf(value);
  }

  private static String step(ClockStep step) {
    String function = "{\"fn\":\"" + step.function() + "\"";
    if (step.function() == ClockStep.Function.LOCAL) {
      return function + ",\"zone\":" + quoted(step.zone()) + "}";
    }
    if (step.isCalendar()) {
      return function + ",\"unit\":\"" + step.unit().name() + "\"}";
    }
    return function + ",\"millis\":" + step.millis() + (step.function() == ClockStep.Function.SHIFT ? "" : ",\"offset\":" + step.offset()) + "}";
  }
}
