package io.rowtime.parse;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlParseException;
import org.junit.Test;

/**
 * Malformed statements: each of them either parses, or results in a diagnostic. Nothing else is thrown, nothing hangs,
 * and no message exposes internals of the parser.
 */
public class MalformedTest {
  private static final int STATEMENTS = 1_000;
  private static final int SECONDS_EACH = 30;   // the slowest takes one second, alone on the machine
  private static final Pattern TOKEN = Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"|\\w+|\\s+|.", Pattern.DOTALL);
  private static final List<String> OTHERS =
      List.of("(", ")", ",", ";", "=", "*", ".", "SELECT", "OVER", "/*", "--", "1e9", "STREAM", "?");
  private static final Pattern INSIDE = Pattern.compile(
      "(?:[a-z]+\\.){2,}[A-Z]|Exception|\\bat line\\b|<[A-Z_]+>|Encountered|Was expecting|\\bnull\\b");

  @Test public void mutations() throws Exception {
    List<Statements.Statement> statements = Statements.all();
    Random random = new Random(20_260_101);
    int errors = 0;
    for (int i = 0; i < STATEMENTS; i++) {
      String sql = statements.get(random.nextInt(statements.size())).sql();
      for (int n = random.nextInt(3); n >= 0; n--) {
        sql = mutate(sql, random);
      }
      errors += diagnose(sql) == null ? 0 : 1;
    }
    assertTrue("too tame: " + errors, errors > STATEMENTS / 2);
  }

  @Test public void nesting() throws Exception {
    for (int depth : new int[] {10, 100, 1_000, 20_000}) {
      for (String[] nest : new String[][] {{"(", "1", ")"}, {"f(", "1", ")"}, {"(SELECT ", "1", ")"}, {"- ", "1", ""},
          {"NOT ", "TRUE", ""}, {"CASE WHEN a THEN ", "1", " END"}, {"a[", "1", "]"}, {"ARRAY[", "1", "]"},
          {"1 + (", "1", ")"}, {"CAST(", "1", " AS INTEGER)"}, {"ROW(", "1", ")"}, {"((", "1", "), 2)"},
          {"EXISTS (SELECT 1 FROM t WHERE ", "1", ")"},
          {"INTERVAL (", "1", ") HOUR"}, {"(", "1", ""}, {"(SELECT 1 FROM (", "1", ""}, {"1 + ", "1", ""}}) {
        diagnose("SELECT " + nest[0].repeat(depth) + nest[1] + nest[2].repeat(depth) + " FROM t");
      }
      diagnose("SELECT * FROM " + "(SELECT * FROM ".repeat(depth) + "t" + ")".repeat(depth));
      diagnose("SELECT * FROM " + "f(".repeat(depth) + "t" + ")".repeat(depth));
      diagnose("SELECT * FROM " + "(".repeat(depth) + "t" + ")".repeat(depth));
      diagnose("SELECT 1" + " UNION ALL SELECT 1".repeat(depth));
      diagnose("CREATE TABLE t (a INTEGER" + " ARRAY".repeat(depth) + ")");
      diagnose("CREATE TABLE t (a " + "ROW(a ".repeat(depth) + "INTEGER" + ")".repeat(depth) + ")");
      diagnose("SELECT * FROM t WHERE a IN (1" + ", 1".repeat(depth) + ")");
      diagnose("SELECT " + "a.".repeat(Math.min(depth, 5_000)) + "a FROM t");
      diagnose("EXPLAIN ".repeat(depth) + "SELECT 1");
      diagnose("/*".repeat(depth) + "SELECT 1");
      diagnose("'".repeat(depth) + " \"".repeat(depth));
    }
  }

  /** Returns null if the statement parses. */
  private static ParseError diagnose(String sql) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor(runnable -> {
      Thread thread = new Thread(runnable);
      thread.setDaemon(true);
      return thread;
    });
    Future<ParseError> future = executor.submit(() -> {
      try {
        Parsers.parseStatement(sql);
        return null;
      } catch (SqlParseException e) {
        return ParseErrors.of(sql, e);
      }
    });
    String shown = sql.length() > 300 ? sql.substring(0, 300) + "…" : sql;
    try {
      ParseError error = future.get(SECONDS_EACH, TimeUnit.SECONDS);
      if (error != null) {
        checkError(sql, shown, error);
      }
      return error;
    } catch (TimeoutException e) {
      throw new AssertionError("hangs: " + shown, e);
    } catch (ExecutionException e) {
      throw new AssertionError("throws " + e.getCause() + ": " + shown, e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  private static void checkError(String sql, String shown, ParseError error) {
    assertNotNull(shown, error.message());
    assertFalse(shown, error.message().isBlank());
    assertTrue(shown + "\n" + error.message(), error.message().length() < 200);
    // Text that the message quotes comes from the statement.
    String own = error.message().replaceAll("'[^']*'", "''");
    assertFalse(shown + "\n" + error.message(), INSIDE.matcher(own).find());
    assertTrue(shown, error.line() >= 1 && error.column() >= 1);
    assertTrue(shown, error.endLine() > error.line() || error.endLine() == error.line()
        && error.endColumn() >= error.column());
    assertTrue(shown + " " + error, error.endLine() <= Math.max(1, sql.split("\r\n|\r|\n", -1).length));
  }

  private static String mutate(String sql, Random random) {
    List<String> tokens = new ArrayList<>(TOKEN.matcher(sql).results().map(r -> r.group()).toList());
    if (tokens.isEmpty()) {
      return "'";
    }
    int i = random.nextInt(tokens.size());
    int j = random.nextInt(tokens.size());
    switch (random.nextInt(10)) {
      case 0 -> tokens.remove(i);
      case 1 -> tokens.add(i, tokens.get(i));
      case 2 -> Collections.swap(tokens, i, j);
      case 3 -> tokens.subList(i, tokens.size()).clear();
      case 4 -> tokens.subList(0, i).clear();
      case 5 -> tokens.add(i, random.nextBoolean() ? "'" : "\"");
      case 6 -> tokens.add(i, String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 65_536)));
      case 7 -> tokens.set(i, OTHERS.get(random.nextInt(OTHERS.size())));
      case 8 -> tokens.set(i, misspell(tokens.get(i), random));
      default -> tokens.subList(Math.min(i, j), Math.max(i, j)).clear();
    }
    return String.join("", tokens);
  }

  private static String misspell(String word, Random random) {
    int at = random.nextInt(word.length());
    return word.substring(0, at) + (char) ('a' + random.nextInt(26)) + word.substring(at);
  }
}
