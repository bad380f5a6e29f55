package io.rowtime.parse;

import static org.junit.Assert.assertEquals;

import org.apache.calcite.sql.parser.SqlParseException;
import org.junit.Test;

/**
 * The diagnostics for text that is not SQL: the message, the position, the hint. Carets under the text mark the
 * position.
 */
public class ParseErrorsTest {
  /** @param marked the statement, with carets under the position on its last line */
  private static void check(String marked, String code, String message, String hint) {
    int cut = marked.lastIndexOf('\n');
    String sql = marked.substring(0, cut);
    String carets = marked.substring(cut + 1);
    ParseError error = errorOf(sql);
    assertEquals(sql, message, error.message());
    assertEquals(sql, hint, error.hint());
    assertEquals(sql, code, error.code());
    assertEquals(sql, carets.indexOf('^') + 1, error.column());
    assertEquals(sql, carets.length(), error.endColumn());
    assertEquals(sql, (int) sql.lines().count(), error.endLine());
  }

  private static void checkHint(String sql, String hint) {
    assertEquals(sql, hint, errorOf(sql).hint());
  }

  private static ParseError errorOf(String sql) {
    try {
      Parsers.parseStatement(sql);
    } catch (SqlParseException e) {
      return ParseErrors.of(sql, e);
    }
    throw new AssertionError("parses: " + sql);
  }

  private static String lines(String... lines) {
    return String.join("\n", lines);
  }

  @Test public void misspeltKeywords() {
    check(lines(
        "SELECT * FRM t",
        "             ^"), "RT0001", "Unexpected 't', expected ',', FROM, ORDER BY, UNION or LIMIT",
        "Did you mean FROM instead of FRM?");
    check(lines(
        "SELEC * FROM t",
        "^^^^^"), "RT0001", "A statement cannot begin with 'SELEC'", "Did you mean SELECT?");
    check(lines(
        "SELECT INTERVAL '1' HOURLY FROM t",
        "                    ^^^^^^"), "RT0001", "Unexpected 'HOURLY', expected a unit of time such as HOUR",
        "Did you mean HOUR?");
    check(lines(
        "FOO",
        "^^^"), "RT0001", "A statement cannot begin with 'FOO'",
        "Statements begin with SELECT, INSERT, UPDATE, DELETE, MERGE, CREATE, DROP, ALTER, SHOW, DESCRIBE or EXPLAIN");
  }

  @Test public void missingWords() {
    check(lines(
        "CREATE VIEW v SELECT 1",
        "              ^^^^^^"), "RT0001", "Unexpected 'SELECT', expected AS", "Is AS missing before SELECT?");
    check(lines(
        "CREATE PUMP p INSERT INTO t VALUES (1)",
        "              ^^^^^^"), "RT0001", "Unexpected 'INSERT', expected AS, OPTIONS, START, WITH or STARTED",
        "Is AS missing before INSERT?");
    check(lines(
        "SELECT a b c FROM t",
        "           ^"), "RT0001", "Unexpected 'c', expected ',', FROM, ORDER BY, UNION or LIMIT",
        "Is a comma missing before 'c'?");
    check(lines(
        "SELECT a, FROM t",
        "          ^^^^"), "RT0001", "Unexpected 'FROM', expected an expression",
        "Remove the comma before FROM, or add what should follow it");
    check(lines(
        "SELECT * FROM t GROUP a",
        "                      ^"), "RT0001", "Unexpected 'a', expected BY", null);
    check(lines(
        "SELECT CAST(a AS) FROM t",
        "                ^"), "RT0001", "Unexpected ')', expected a type", null);
    check(lines(
        "ALTER s",
        "      ^"), "RT0001", "Unexpected 's', expected FOREIGN, STREAM, TABLE or PUMP", null);
    check(lines(
        "CREATE s",
        "       ^"), "RT0001", "Unexpected 's', expected FOREIGN, STREAM, TABLE, VIEW or PUMP", null);
  }

  @Test public void whatOtherSystemsHave() {
    checkHint("TRUNCATE TABLE t", "DELETE FROM removes all rows of a table");
    checkHint("SELECT * FROM t LEFT SEMI JOIN u ON a = b", "Write WHERE EXISTS (SELECT * FROM … WHERE …), or IN");
    checkHint("SELECT * FROM t LEFT ANTI JOIN u ON a = b", "Write WHERE NOT EXISTS (SELECT * FROM … WHERE …)");
    checkHint("SELECT ts AT TIME ZONE 'UTC' FROM t", "A TIMESTAMP is in UTC: FROM_UTC_TIMESTAMP(ts, 'Europe/Berlin') is "
        + "the local time, TO_UTC_TIMESTAMP goes back");
    checkHint("SELECT SUM(a) OVER (ORDER BY b GROUPS 3 PRECEDING) FROM t",
        "A window has a number of ROWS or a RANGE of values");
    checkHint("SELECT SUM(a) OVER (ORDER BY b GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
        "A window has a number of ROWS or a RANGE of values");
    checkHint("ALTER TABLE t RENAME COLUMN x TO y",
        "A column keeps its name: a view can give it another one; CREATE TABLE … AS SELECT copies the rows");
    checkHint("SELECT a FROM t UNION ALL BY NAME SELECT a FROM u",
        "Columns are matched by position: list them in the same order in both queries");
    checkHint("SELECT DATEDIFF(DAY, a, b) FROM t", "Write TIMESTAMPDIFF(DAY, since, until)");
    checkHint("SELECT DATEADD(HOUR, 1, a) FROM t", "Write TIMESTAMPADD(DAY, 1, ts), or ts + INTERVAL '1' DAY");
    checkHint("SELECT a + INTERVAL '1 day', b FROM t", "Write INTERVAL '1' DAY");
    checkHint("SELECT a + INTERVAL '1 day'", "Write INTERVAL '1' DAY");
  }

  @Test public void reservedWords() {
    check(lines(
        "SELECT user, order FROM t",
        "             ^^^^^"), "RT0001", "Unexpected 'order', expected an expression",
        "ORDER is a reserved word; to use it as a name, quote it: \"ORDER\"");
    check(lines(
        "INSERT INTO t (a, timestamp) VALUES (1, 2)",
        "                  ^^^^^^^^^"), "RT0001", "Unexpected 'timestamp', expected a name",
        "TIMESTAMP is a reserved word; to use it as a name, quote it: \"TIMESTAMP\"");
    check(lines(
        "SELECT a FROM t WHERE date > 1",
        "                           ^"), "RT0001", "Unexpected '>', expected a string or '('",
        "DATE is a reserved word; to use it as a name, quote it: \"DATE\"");
    check(lines(
        "SELECT DISTINCT STREAM a FROM t",
        "                ^^^^^^"), "RT0001", "Unexpected 'STREAM', expected an expression",
        "STREAM comes right after SELECT");
  }

  @Test public void operators() {
    check(lines(
        "SELECT * FROM t WHERE a == 1",
        "                         ^"), "RT0001", "Unexpected '=', expected an expression", "Use a single = for equality");
    check(lines(
        "SELECT a FROM t WHERE a ! 1",
        "                        ^"), "RT0002", "Unexpected '!'", "Use <> or != for inequality, and NOT for negation");
    check(lines(
        "SELECT * FROM t WHERE a = 1 && b = 2",
        "                             ^"), "RT0001", "Unexpected '&', expected an expression", "Use AND");
  }

  @Test public void parentheses() {
    check(lines(
        "SELECT * FROM (SELECT a",
        "                      ^"), "RT0001", "Unexpected end of the statement, expected a name, AS, ')', ',' or FROM",
        "The '(' at line 1, column 15 is not closed");
    check(lines(
        "SELECT * FROM t WHERE a = 1)",
        "                           ^"), "RT0001",
        "Unexpected ')', expected GROUP BY, ORDER BY, UNION, HAVING or LIMIT",
        "This ')' has no matching '('");
    check(lines(
        "SELECT COUNT(* FROM t",
        "               ^^^^"), "RT0001", "Unexpected 'FROM', expected ')'", null);
  }

  @Test public void unclosed() {
    check(lines(
        "SELECT 'abc FROM t",
        "       ^^^^^^^^^^^"), "RT0002", "The string that begins here is not closed", "Add the closing '");
    check(lines(
        "SELECT a,",
        "  \"abc FROM t",
        "  ^^^^^^^^^^^"), "RT0002", "The quoted name that begins here is not closed", "Add the closing \"");
    check(lines(
        "SELECT a -- it's fine",
        "FROM t /* not closed",
        "       ^^^^^^^^^^^^^"), "RT0002", "The comment that begins here is not closed", "Add the closing */");
    check(lines(
        "SELECT /*+ x FROM t",
        "       ^^^^^^^^^^^^"), "RT0002", "The hint that begins here is not closed", "Add the closing */");
  }

  @Test public void characters() {
    check(lines(
        "SELECT * FROM t # x",
        "                ^"), "RT0002", "Unexpected '#'", "Comments begin with --");
    check(lines(
        "SELECT\t`a` FROM t",
        "       ^"), "RT0002", "Unexpected '`'", "Names are quoted with double quotes");
    check(lines(
        "SELECT \u2018a\u2019 FROM t",
        "       ^"), "RT0002", "Unexpected '\u2018'",
        "This is a typographic quote; SQL takes ' around text and \" around names");
    check(lines(
        "SELECT a\u0000b FROM t",
        "        ^"), "RT0002", "Unexpected character U+0000", null);
    check(lines(
        "SELECT \"\" FROM t",
        "       ^"), "RT0001", "A name cannot be empty", null);
  }

  @Test public void endsTooSoon() {
    check(lines(
        "SELECT * FROM a",
        "JOIN b ON",
        "       ^^"), "RT0001", "Unexpected end of the statement, expected an expression", null);
    check(lines(
        "SELECT * FROM t AS",
        "                ^^"), "RT0001", "Unexpected end of the statement, expected a name", null);
    check(lines(
        "DESCRIBE",
        "^^^^^^^^"), "RT0001", "Unexpected end of the statement, expected a name, FOREIGN, STREAM, TABLE or FUNCTION", null);
  }

  @Test public void nothingAtAll() {
    for (String sql : new String[] {"", " ", "\n\n", "-- comment", "/* comment */"}) {
      ParseError error = errorOf(sql);
      assertEquals("RT0004", error.code());
      assertEquals("There is no statement here", error.message());
    }
  }

  @Test public void rulesOfTheGrammar() {
    check(lines(
        "LATENESS v 1",
        "         ^"), "RT0001", "LATENESS takes a view and its column: view.column", null);
    check(lines(
        "CREATE STREAM s (a INTEGER NOT NULL NULL)",
        "                                    ^^^^"), "RT0001", "NULL is given twice", null);
    check(lines(
        "CREATE STREAM s (a INTEGER LATENESS 1 LATENESS 2)",
        "                                      ^^^^^^^^"), "RT0001", "LATENESS is given twice", null);
    check(lines(
        "CREATE STREAM s AS SELECT 1",
        "                ^^"), "RT0001", "Only CREATE TABLE takes AS and a query",
        "Create the stream with its columns, and a pump that fills it: CREATE PUMP p STARTED AS INSERT INTO name SELECT STREAM …");
    check(lines(
        "SELECT SUM(a) OVER (ORDER BY b ORDER BY c) FROM t",
        "                               ^^^^^^^^^^"), "RT0001", "ORDER BY is given twice", null);
    check(lines(
        "SELECT SUM(a) OVER (ROWS 1 PRECEDING RANGE CURRENT ROW) FROM t",
        "                                     ^^^^^"), "RT0001", "ROWS or RANGE is given twice", null);
    check(lines(
        "SELECT SUM(a) OVER w (x ROWS 1 PRECEDING) FROM t",
        "                      ^"), "RT0001", "The window is named already, before the parenthesis: 'W'", null);
    check(lines(
        "CREATE TABLE t (a VARCHAR(99999999999))",
        "                          ^^^^^^^^^^^"), "RT0001", "The number '99999999999' is too large here", null);
    check(lines(
        "CREATE STREAM s (a INTEGER) OPTIONS (1 'x')",
        "                                     ^"), "RT0001", "Unexpected '1', expected a string", null);
  }

  @Test public void moreThanOneStatement() {
    check(lines(
        "SELECT 1; SELECT 2",
        "        ^"), "RT0001", "Unexpected ';', expected a name, AS, ',', FROM or ORDER BY",
        "Pass one statement at a time, without the ';' at its end");
  }

  @Test public void deepNesting() {
    String sql = "SELECT " + "(".repeat(100_000) + "1" + ")".repeat(100_000) + " FROM t";
    ParseError error = errorOf(sql);
    assertEquals("RT0003", error.code());
    assertEquals("The statement is nested too deeply", error.message());
    assertEquals("SELECT ".length() + 100_000, error.column());
  }
}
