package io.rowtime.parse;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Constructs of other SQL dialects that this language lacks, with equivalents in this language. */
final class OtherDialects {
  /** Hints by the first word of the statement. */
  private static final Map<String, String> STATEMENTS = Map.of(
      "TRUNCATE", "DELETE FROM removes all rows of a table",
      "REPLACE", "MERGE INTO updates existing rows and inserts the others",
      "UPSERT", "MERGE INTO updates existing rows and inserts the others",
      "DESC", "Write DESCRIBE",
      "USE", "--warehouse chooses a warehouse, which has no schemas",
      "SET", "Set the properties of a stream or table in its OPTIONS; !set is a command of the shell",
      "COPY", "CREATE FOREIGN TABLE over the files, and INSERT INTO … SELECT from it",
      "BEGIN", "Each statement is a transaction of its own");

  private static final Set<String> UNITS = Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private static final String NO_GROUPS = "A window has a number of ROWS or a RANGE of values";

  private static final String DIFFERENCE = "Write TIMESTAMPDIFF(DAY, since, until)";

  private static final String SUM = "Write TIMESTAMPADD(DAY, 1, ts), or ts + INTERVAL '1' DAY";

  private static final String NO_NAMES = "Columns are matched by position: list them in the same order in both queries";

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
      new Construct("ALTER *TABLE", "CREATE TABLE … AS SELECT copies the rows to a table with other columns"),
      new Construct("UNION *BY NAME", NO_NAMES),
      new Construct("ALL *BY NAME", NO_NAMES),
      // Some units are functions as well; then the comma does not fit.
      new Construct("DATEDIFF ( *UNIT", DIFFERENCE),
      new Construct("DATEDIFF ( UNIT *,", DIFFERENCE),
      new Construct("DATEADD ( *UNIT", SUM),
      new Construct("DATEADD ( UNIT *,", SUM),
      new Construct("*DAY (", "Write DAYOFMONTH(d), or EXTRACT(DAY FROM d)"),
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
