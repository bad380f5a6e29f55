package io.rowtime.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.ParseErrors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Plans a statement with a fixed stack size and time limit, independent of the calling thread and process. */
final class Planning {
  /** Longer statements are refused unread. */
  private static final int MAX_CHARACTERS = 4_000_000;

  private static final int MAX_DEPTH = 700;
  private static final long STACK = 64L << 20;
  private static final String VARIABLE = "ROWTIME_PLANNING_SECONDS";
  private static final long SECONDS = seconds(System.getenv(VARIABLE));

  private Planning() {}

  /**
   * The diagnostics for a statement, and the planned statement, null if it has errors; and the error of a statement that replaces an
   * object, if that has rows, or null.
   */
  record Reply(List<Diagnostic> diagnostics, JsonNode statement, Diagnostic refusal) {
    static Reply of(Diagnostic error) {
      return new Reply(List.of(error), null, null);
    }
  }

  /** Returns the result of {@code work} on {@code sql}, or a diagnostic if it does not finish. */
  static Reply of(String sql, Callable<Reply> work) {
    if (sql.length() > MAX_CHARACTERS) {
      return Reply.of(tooLong());
    }
    FutureTask<Reply> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "rowtime-planning", STACK);
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
    try {
      return task.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // Work checks for this where it could run without end; see ExpansionLimit.
      thread.interrupt();
      return Reply.of(tooMuch("Planning timed out after " + SECONDS + " seconds",
          "split the statement into views; " + VARIABLE + " allows more time"));
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return Reply.of(tooMuch("Planning was interrupted", null));
    } catch (ExecutionException e) {
      return Reply.of(failure(sql, e.getCause()));
    }
  }

  /** Returns whether a request is too long to contain a statement of at most {@link #MAX_CHARACTERS}. */
  static boolean isTooLong(String request) {
    // JSON needs at most six characters to write one.
    return request.length() > 6L * MAX_CHARACTERS;
  }

  static Diagnostic tooLong() {
    return Diagnostic.error("RT0420", SqlParserPos.ZERO, String.format("The statement has more than %,d characters", MAX_CHARACTERS),
        "load rows from a file: CREATE FOREIGN TABLE … OPTIONS (connector 'files', …)");
  }

  /** Returns whether a plan's depth is within the limit of all programs that read it, which descend recursively. */
  static boolean fits(JsonNode plan) {
    Deque<JsonNode> level = new ArrayDeque<>(List.of(plan));
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      Deque<JsonNode> next = new ArrayDeque<>();
      level.forEach(node -> node.forEach(child -> {
        if (child.isContainerNode()) {
          next.add(child);
        }
      }));
      if (next.isEmpty()) {
        return true;
      }
      level = next;
    }
    return false;
  }

  private static Diagnostic failure(String sql, Throwable cause) {
    if (cause instanceof StackOverflowError) {
      return PlanRequest.syntax(ParseErrors.of(sql, cause));
    }
    if (cause instanceof OutOfMemoryError) {
      return tooMuch("The planner ran out of memory", "split the statement into views");
    }
    return Diagnostic.fault(cause);
  }

  private static Diagnostic tooMuch(String what, String hint) {
    return Diagnostic.error("RT0421", SqlParserPos.ZERO, what, hint);
  }

  private static long seconds(String given) {
    return given != null && given.matches("[1-9]\\d{0,5}") ? Long.parseLong(given) : 60;
  }
}
