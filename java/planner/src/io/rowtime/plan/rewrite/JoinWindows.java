package io.rowtime.plan.rewrite;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin.Interval;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.WindowedInput;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Windows on the inputs of a join: how long they contain a row, and which of them are refused. */
final class JoinWindows {
  private static final int MOST_ROWS = 1_000_000;

  private JoinWindows() {}

  /** Returns an input of a join without its window. */
  static RelNode input(RelNode rel) {
    if (rel instanceof WindowedInput windowed) {
      return windowed.getInput();
    }
    return frame(rel) == null ? rel : rel.copy(rel.getTraitSet(), List.of(input(rel.getInput(0))));
  }

  /** Returns the window of a join's input, or null. */
  static WindowedInput.Frame frame(RelNode rel) {
    return rel instanceof WindowedInput windowed ? windowed.frame() : rel instanceof Filter ? frame(rel.getInput(0)) : null;
  }

  /**
   * Returns how long a row is in the windows of its input; without a window, only at its own time. Returns null for windows
   * of ROWS that do not go with the other one.
   */
  static Interval interval(WindowedInput.Frame frame, WindowedInput.Frame other) {
    if (frame == null) {
      return new Interval(0, 0);
    }
    if (frame.rows()) {
      return rows(frame, other);
    }
    // A window [b + lower, b + upper] around the time b contains the row of time x if b is in [x - upper, x - lower].
    return new Interval(-frame.upper().distance(), -frame.lower().distance());
  }

  /**
   * The latest rows of an input, at the time of each row of the other input. If the other input has a window of RANGE
   * longer than one time, the current row's window is the one around the row itself.
   */
  private static Interval rows(WindowedInput.Frame frame, WindowedInput.Frame other) {
    if (!endsAtCurrentRow(frame) || frame.lower().distance() <= -MOST_ROWS) {
      return null;
    }
    if (spans(other)) {
      return frame.lower().distance() == 0 ? new Interval(0, 0) : null;
    }
    return new Interval(0, 0, 1 - (int) frame.lower().distance(), null);
  }

  private static boolean endsAtCurrentRow(WindowedInput.Frame frame) {
    return frame.lower().distance() <= 0 && frame.upper().kind().equals("CURRENT_ROW");
  }

  /** Returns whether a window is a RANGE longer than one time. */
  private static boolean spans(WindowedInput.Frame frame) {
    return frame != null && !frame.rows() && !new Interval(0, 0).equals(interval(frame, null));
  }

  /** Refuses the windows that remain after all joins of streams have used theirs. */
  static void check(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).anyMatch(WindowedInput.class::isInstance)) {
      check(plan, null, new OrderAnalysis(StreamingNodes.of(plan, true)), origins);
    }
  }

  /** @param join the join whose input {@code rel} is, perhaps below filters; null if there is none */
  private static void check(RelNode rel, Join join, OrderAnalysis orders, Origins origins) {
    if (rel instanceof WindowedInput windowed) {
      throw refused(windowed, join, orders, origins);
    }
    Join below = rel instanceof Join found ? found : rel instanceof Filter ? join : null;
    rel.getInputs().forEach(input -> check(input, below, orders, origins));
    Plans.subQueries(rel).forEach(query -> check(query, null, orders, origins));
  }

  private static DiagnosticException refused(WindowedInput windowed, Join join, OrderAnalysis orders, Origins origins) {
    WindowedInput.Frame frame = windowed.frame();
    if (orders.of(windowed).clock() == null) {
      return refused("RT0214", windowed, origins, "A window in FROM goes by ROWTIME, and these rows have none in order",
          "a table is joined without OVER; compare its times in ON");
    }
    if (join == null) {
      return refused("RT0214", windowed, origins, "A window in FROM limits a join of streams, and these rows are not joined as they are",
          "leave out OVER, or write it behind the sub-query that is joined; for the rows around each row, use an analytic function, as in "
          + "SUM(x) OVER (…)");
    }
    if (join.getInputs().stream().anyMatch(input -> orders.of(input).clock() == null)) {
      return refused("RT0214", windowed, origins, "A window in FROM limits a join of streams, and the other input is a table",
          "leave out OVER: each row sees the table as it is when the row is processed");
    }
    if (join instanceof AsofJoin) {
      return refused("RT0900", windowed, origins, "not supported yet: a window in an ASOF JOIN that need not hold the nearest row that "
          + "MATCH_CONDITION asks for", "write it on the right stream: RANGE INTERVAL … PRECEDING with >= or >, RANGE INTERVAL … FOLLOWING with <= or <");
    }
    if (!frame.rows() && join.getInputs().stream().map(JoinWindows::frame).anyMatch(other -> other != null && other.rows())) {
      frame = join.getInputs().stream().map(JoinWindows::frame).filter(other -> other != null && other.rows()).findFirst().orElseThrow();
    }
    return frame.rows() ? refusedRows(windowed, frame, origins) : refused("RT0900", windowed, origins,
        "not supported yet: a window on an input of this join", "join the streams by conditions on their ROWTIMEs");
  }

  private static DiagnosticException refusedRows(WindowedInput windowed, WindowedInput.Frame frame, Origins origins) {
    if (!endsAtCurrentRow(frame)) {
      return refused("RT0900", windowed, origins, "not supported yet: a window of ROWS in FROM that does not end at CURRENT ROW, as no time "
          + "limits how far its rows are away", "write ROWS n PRECEDING, or RANGE BETWEEN … with intervals");
    }
    if (frame.lower().distance() <= -MOST_ROWS) {
      return refused("RT0900", windowed, origins, "not supported yet: a window in FROM of more than 1,000,000 ROWS",
          "take fewer rows, or a RANGE");
    }
    return refused("RT0900", windowed, origins, "not supported yet: a window of several ROWS beside one of RANGE that spans some time, as each "
        + "row has a window of its own there", "write ROWS CURRENT ROW; or leave out the RANGE, and the other stream has RANGE CURRENT ROW");
  }

  private static DiagnosticException refused(String code, RelNode rel, Origins origins, String message, String hint) {
    return new DiagnosticException(code, origins.place(rel, SqlParserPos.ZERO), message, hint);
  }
}
