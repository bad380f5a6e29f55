package io.rowtime.parse;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Constructs of other SQL dialects that this language lacks, with equivalents in this language. */
final class OtherDialects {
  private static final String NO_ROLES = "There are no roles: the permissions of the warehouse's folder say who can read and write it";

  /** Hints by the first word of the statement. */
  private static final Map<String, String> STATEMENTS = Map.ofEntries(
      Map.entry("TRUNCATE", "DELETE FROM removes all rows of a table"),
      Map.entry("REPLACE", "MERGE INTO updates existing rows and inserts the others"),
      Map.entry("UPSERT", "MERGE INTO updates existing rows and inserts the others"),
      Map.entry("DESC", "Write DESCRIBE"),
      Map.entry("USE", "--warehouse chooses a warehouse, which has no schemas"),
      Map.entry("SET", "Set the properties of a stream or table in its OPTIONS; !set is a command of the shell"),
      Map.entry("COPY", "CREATE FOREIGN TABLE over the files, and INSERT INTO … SELECT from it"),
      Map.entry("BEGIN", "Each statement is a transaction of its own"),
      Map.entry("FROM", "A query begins with SELECT: SELECT STREAM * FROM …"),
      Map.entry("FORM", "A query begins with SELECT: SELECT STREAM * FROM …"),
      Map.entry("GRANT", NO_ROLES),
      Map.entry("REVOKE", NO_ROLES),
      Map.entry("REFRESH", "Leave it out: tables and views always have the newest rows"),
      Map.entry("ANALYZE", "Leave it out: the planner needs no statistics"));

  private static final Set<String> UNITS = Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private static final String NO_GROUPS = "A window has a number of ROWS or a RANGE of values";

  private static final String DIFFERENCE = "Write TIMESTAMPDIFF(DAY, since, until)";

  private static final String SUM = "Write TIMESTAMPADD(DAY, 1, ts), or ts + INTERVAL '1' DAY";

  private static final String JSON = "JSON_VALUE(text, '$.path') is a scalar in JSON text, and JSON_QUERY an object or an array";

  private static final String LATENESS = "Declare at the column how late rows may be: ROWTIME TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND";

  private static final String CONTINUOUS = "Leave it out: SELECT STREAM is continuous, and its results are final";

  private static final String NO_TEMPORARY = "Leave it out: every object is in the warehouse until it is dropped; a query can have WITH name AS (SELECT …)";

  private static final String NO_SCHEMAS = "Leave it out: a warehouse has no schemas";

  private static final String NO_NAMES = "Columns are matched by position: list them in the same order in both queries";

  private static final String NO_RENAME = "A column keeps its name: a view can give it another one; CREATE TABLE … AS SELECT copies the rows";

  private static final String WIDEN = "Write ALTER COLUMN name TYPE type";

  /** A * marks the word that does not fit; UNIT is a unit of time, AMOUNT a string with a number and a unit. */
  private static final List<Construct> CONSTRUCTS = List.of(
      new Construct("LEFT *SEMI JOIN", "Write WHERE EXISTS (SELECT * FROM … WHERE …), or IN"),
      new Construct("LEFT *ANTI JOIN", "Write WHERE NOT EXISTS (SELECT * FROM … WHERE …)"),
      new Construct("*AT TIME ZONE", "A TIMESTAMP is in UTC: FROM_UTC_TIMESTAMP(ts, 'Europe/Berlin') is the local time, "
          + "TO_UTC_TIMESTAMP goes back"),
      new Construct("*GROUPS BETWEEN", NO_GROUPS),
      new Construct("*GROUPS UNBOUNDED", NO_GROUPS),
      new Construct("*GROUPS NUMBER PRECEDING", NO_GROUPS),
      new Construct("*GROUPS CURRENT", NO_GROUPS),
      new Construct("*RENAME COLUMN", NO_RENAME),
      new Construct("*MODIFY COLUMN", WIDEN),
      new Construct("*CHANGE COLUMN", WIDEN),
      new Construct("UNION *BY NAME", NO_NAMES),
      new Construct("ALL *BY NAME", NO_NAMES),
      // Some units are functions as well; then the comma does not fit.
      new Construct("DATEDIFF ( *UNIT", DIFFERENCE),
      new Construct("DATEDIFF ( UNIT *,", DIFFERENCE),
      new Construct("DATEADD ( *UNIT", SUM),
      new Construct("DATEADD ( UNIT *,", SUM),
      new Construct("*DAY (", "Write DAYOFMONTH(d), or EXTRACT(DAY FROM d)"),
      new Construct("*->", JSON),
      new Construct("WATERMARK *FOR", LATENESS),
      new Construct("*EMIT CHANGES", CONTINUOUS),
      new Construct("EMIT *CHANGES", CONTINUOUS),
      new Construct("*EMIT FINAL", CONTINUOUS),
      new Construct("EMIT *FINAL", CONTINUOUS),
      new Construct("CREATE *EXTERNAL", "Write CREATE FOREIGN TABLE … OPTIONS (connector 'files', path '…', format '…')"),
      new Construct("*TEMPORARY", NO_TEMPORARY),
      new Construct("*TEMP VIEW", NO_TEMPORARY),
      new Construct("*TEMP TABLE", NO_TEMPORARY),
      new Construct("*WINDOW (", "Group by FLOOR(ROWTIME TO HOUR), or by TUMBLE(ROWTIME, INTERVAL '10' MINUTE), HOP or SESSION"),
      new Construct("SHOW *CREATE", "SHOW STREAMS LIKE 'NAME' or SHOW TABLES LIKE 'NAME' has the statement in its column DEFINITION"),
      new Construct("TABLES *IN", NO_SCHEMAS),
      new Construct("TABLES *FROM", NO_SCHEMAS),
      new Construct("SELECT TOP *NUMBER", "Write LIMIT 5 at the end of the query"),
      new Construct("*PARTITIONED BY", "Leave it out; for the files of a foreign table, partition_by is an option"),
      new Construct("INTERVAL AMOUNT *", "The unit follows the quotes: INTERVAL '1' DAY"));

  private OtherDialects() {}

  /** Returns a hint for a statement that starts with an upper-case word, or null. */
  static String statement(String word) {
    return STATEMENTS.get(word);
  }

  /** Returns a hint for the token at {@code index}, at which the parser stopped, or null. */
  static String construct(Tokens tokens, int index) {
    return CONSTRUCTS.stream().filter(c -> c.at(tokens, index)).map(Construct::hint).findFirst().orElse(null);
  }

  /** A sequence of words, one of which starts with a *. */
  private record Construct(String words, String hint) {
    boolean at(Tokens tokens, int index) {
      List<String> list = List.of(words.split(" "));
      int first = index;
      while (!list.get(index - first).startsWith("*")) {
        first--;
      }
      for (int i = 0; i < list.size(); i++) {
        if (!fits(list.get(i).replace("*", ""), tokens, first + i)) {
          return false;
        }
      }
      return true;
    }

    private static boolean fits(String word, Tokens tokens, int i) {
      String found = tokens.word(i);
      return switch (word) {
        case "" -> true;
        case "UNIT" -> UNITS.contains(found);
        case "AMOUNT" -> found.matches("'[0-9.]+ [A-Z]+'");
        case "NUMBER" -> !found.isEmpty() && Character.isDigit(found.charAt(0));
        default -> found.equals(word);
      };
    }
  }
}
