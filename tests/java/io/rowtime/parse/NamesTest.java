package io.rowtime.parse;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.util.Litmus;
import org.junit.Test;

/** Words of the language as names: none of those that rowtime adds is reserved. */
public class NamesTest {
  private static final List<String> WORDS = List.of("decreasing", "expedited", "if", "increasing", "lateness",
      "monotonic", "options", "pause", "pump", "pumps", "resume", "started", "stop", "stopped", "streams", "tables",
      "views", "watermark", "cascade", "restrict", "view", "key", "plan", "work", "level", "message", "name", "type",
      "state", "op", "payload", "close", "open", "value", "result", "method", "language", "module", "old",
      "condition", "hold", "parameter", "release", "system", "session", "tumble", "hop", "descriptor", "rowtime",
      "snapshot", "history", "bound", "version");

  @Test public void wordsAreNames() throws Exception {
    for (String w : WORDS) {
      for (String sql : List.of("SELECT STREAM %1$s, t.%1$s AS %1$s, %1$s + 1 %1$s FROM %1$s AS %1$s WHERE %1$s > 1",
          "CREATE STREAM %1$s (%1$s INTEGER NOT NULL LATENESS 1, x TIMESTAMP) OPTIONS (%1$s 'x')",
          "CREATE VIEW %1$s (%1$s) AS SELECT %1$s FROM %1$s", "INSERT INTO %1$s (%1$s) VALUES (1)",
          "CREATE PUMP %1$s AS INSERT INTO %1$s SELECT STREAM * FROM %1$s", "ALTER PUMP %1$s START", "DROP STREAM %1$s",
          "DESCRIBE %1$s", "LATENESS %1$s.%1$s 1", "SELECT SUM(a) OVER %1$s FROM t WINDOW %1$s AS (ORDER BY %1$s)",
          "SELECT * FROM s OVER (ROWS 1 PRECEDING) AS %1$s JOIN %1$s ON %1$s.a = %1$s.b",
          "WITH %1$s (%1$s) AS (SELECT 1) SELECT * FROM %1$s", "SELECT * FROM %1$s(%1$s => %1$s)")) {
        String text = String.format(sql, w);
        try {
          SqlNode node = Parsers.parseStatement(text);
          assertTrue(text, node.equalsDeep(Parsers.parseStatement(SqlText.of(node)), Litmus.THROW));
        } catch (SqlParseException e) {
          throw new AssertionError(text + ": " + ParseErrors.of(text, e).message(), e);
        }
      }
    }
  }

  @Test public void reservedWordsNeedQuotes() throws Exception {
    for (String w : List.of("when", "timestamp")) {
      Parsers.parseStatement("CREATE TABLE t (\"" + w + "\" TIMESTAMP)");
      String sql = "CREATE TABLE t (" + w + " TIMESTAMP)";
      try {
        Parsers.parseStatement(sql);
        fail(sql);
      } catch (SqlParseException e) {
        ParseError error = ParseErrors.of(sql, e);
        String upper = w.toUpperCase(java.util.Locale.ROOT);
        assertEquals(upper + " is a reserved word; to use it as a name, quote it: \"" + upper + "\"", error.hint());
        assertEquals(17, error.column());
      }
    }
  }
}
