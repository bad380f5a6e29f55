package io.rowtime.parse;

import java.util.List;
import java.util.Optional;

/** Columns, clauses and expressions of other SQL dialects that this language lacks, with equivalents in this language. */
final class OtherDialects {
  private static final String NO_GROUPS = "A window has a number of ROWS or a RANGE of values";

  private static final String DIFFERENCE = "Write TIMESTAMPDIFF(DAY, since, until)";

  private static final String SUM = "Write TIMESTAMPADD(DAY, 1, ts), or ts + INTERVAL '1' DAY";

  static final String JSON = "JSON_VALUE(text, '$.path') is a scalar in JSON text, and JSON_QUERY an object or an array";

  private static final String LATENESS = "Declare at the column how late rows may be: ROWTIME TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND";

  private static final String CONTINUOUS = "Leave it out: SELECT STREAM is continuous, and its results are final";

  private static final String NO_NAMES = "Columns are matched by position: list them in the same order in both queries";

  private static final String WINDOW = "Group by FLOOR(ROWTIME TO HOUR), or by TUMBLE(ROWTIME, INTERVAL '10' MINUTE), HOP or SESSION";

  private static final String COMPUTED = "Columns are not computed: compute it in a view, CREATE VIEW v AS SELECT STREAM *, a + 1 AS b FROM name; "
      + "ROWTIME of a stream is the time of the INSERT if it has none";

  private static final String NO_NUMBERS = "Leave it out: rows are not numbered";

  private static final String NOT_CHECKED = "Leave it out: only types and NOT NULL are checked; a query can leave out other rows, by WHERE";

  private static final String ARRAY = "Write INTEGER ARRAY: the type of the elements comes first";

  private static final String LITERAL = "Write ARRAY[1, 2, 3]";

  private static final String UNNEST = "Write CROSS JOIN UNNEST(array) AS t (x)";

  private static final String FOREIGN = "Write CREATE FOREIGN TABLE name (columns) OPTIONS (connector 'files', path '…', format '…')";

  private static final String PARTITION = "Leave it out; for the files of a foreign table, partition_by is an option";

  private static final String AS_OF = "Write FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-20 00:00:00'";

  private static final String SAMPLE = "Write TABLESAMPLE BERNOULLI (10): ten per cent of the rows";

  private static final String TOP = "Write QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) <= 1 at the end of the query";

  private static final List<Construct> COLUMNS = List.of(
      new Construct("WATERMARK »FOR", LATENESS),
      new Construct("CREATE … (|, name »AS", COMPUTED),
      new Construct("»GENERATED ALWAYS|BY AS|DEFAULT IDENTITY", NO_NUMBERS),
      new Construct("»GENERATED ALWAYS|BY DEFAULT AS IDENTITY", NO_NUMBERS),
      new Construct("»GENERATED", COMPUTED),
      new Construct("INT|INTEGER|BIGINT|KEY|NULL »AUTO_INCREMENT|AUTOINCREMENT|IDENTITY", NO_NUMBERS),
      new Construct(") »NOT ENFORCED", "Leave it out: a PRIMARY KEY is not enforced"),
      new Construct("PRIMARY KEY »NOT ENFORCED", "Leave it out: a PRIMARY KEY is not enforced"),
      new Construct("»METADATA", "Name the column in an option of the foreign stream: partition, offset, timestamp, key or headers; rowtime 'timestamp' "
          + "is Kafka's time of the record"),
      new Construct("»KEY ,|)", "Name the column in an option: key 'ID'; a PRIMARY KEY is one of a table"),
      new Construct("CREATE … »COMMENT", "Leave it out, or write a comment: -- …"),
      new Construct("CREATE … »REFERENCES|CHECK|UNIQUE", NOT_CHECKED),
      new Construct("CREATE … »FOREIGN KEY", NOT_CHECKED),
      new Construct("CREATE … »LIKE", "Write CREATE TABLE name AS SELECT * FROM other, which copies the rows too; or list the columns"),
      new Construct("»PARTITIONED BY", PARTITION),
      new Construct("CREATE … »PARTITION BY", PARTITION),
      new Construct("CREATE … »CLUSTER|CLUSTERED BY", "Leave it out: where rows are need not be said"),
      new Construct("CREATE … »STORED|LOCATION", FOREIGN),
      new Construct("CREATE … »USING", "A table of the warehouse has no format; CREATE FOREIGN TABLE … OPTIONS (connector 'files', …) is over files"),
      new Construct("CREATE … »TBLPROPERTIES|ENGINE", "Properties are OPTIONS (name 'value')"),
      new Construct("CREATE … »DISTRIBUTED BY|INTO", "Leave it out: the option partitions says how many there are"),
      new Construct("CREATE STREAM … »ON", "The changes of a table are a stream: SELECT STREAM * FROM TO_CHANGELOG(name)"),
      new Construct("CREATE MATERIALIZED VIEW … »REFRESH|EVERY", "Leave it out: a materialized view always has the newest result"),
      new Construct("CREATE STREAM … »AS", "Create the stream with its columns, and a pump that fills it: CREATE PUMP p STARTED AS INSERT INTO name SELECT STREAM …"),
      new Construct("«ARRAY »<", ARRAY),
      new Construct("»ARRAY <", ARRAY),
      new Construct("CREATE … type »[", ARRAY),
      new Construct("CREATE … INT|INTEGER|BIGINT|VARCHAR|DOUBLE »[", ARRAY),
      new Construct("»ROW|STRUCT <", "Write ROW(a INTEGER, b VARCHAR)"),
      new Construct("ROW|STRUCT »<", "Write ROW(a INTEGER, b VARCHAR)"));

  private static final List<Construct> CLAUSES = List.of(
      new Construct("LEFT »SEMI JOIN", "Write WHERE EXISTS (SELECT * FROM … WHERE …), or IN"),
      new Construct("LEFT »ANTI JOIN", "Write WHERE NOT EXISTS (SELECT * FROM … WHERE …)"),
      new Construct("»LATERAL VIEW", UNNEST),
      new Construct("»WITHIN number unit", "Join within a window: FROM a JOIN b OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS b ON …"),
      new Construct("»GROUPS BETWEEN|UNBOUNDED|CURRENT", NO_GROUPS),
      new Construct("»GROUPS number PRECEDING", NO_GROUPS),
      new Construct("UNION|ALL »BY name", NO_NAMES),
      new Construct("»EMIT CHANGES|FINAL", CONTINUOUS),
      new Construct("EMIT »CHANGES|FINAL", CONTINUOUS),
      new Construct("»WINDOW (", WINDOW),
      new Construct("«WINDOW TUMBLING|HOPPING|SESSION »(", WINDOW),
      new Construct("»WINDOW TUMBLING|HOPPING|SESSION", WINDOW),
      new Construct("SELECT TOP »number", "Write LIMIT 5 at the end of the query"),
      new Construct("DISTINCT »ON", TOP),
      new Construct("LIMIT number »BY", TOP),
      new Construct("GROUP BY «ALL »", "Name the expressions: GROUP BY a, b"),
      new Construct("ORDER BY »ALL", "Name the expressions: ORDER BY a, b"),
      new Construct("* «EXCEPT|EXCLUDE ( »", "Name the columns that you want; those of a join can be a.*"),
      new Construct("* «EXCEPT|EXCLUDE|REPLACE|RENAME »(", "Name the columns that you want; those of a join can be a.*"),
      new Construct("«SORT|CLUSTER|DISTRIBUTE »BY", "ORDER BY sorts the result; where its rows are computed need not be said"),
      new Construct("«VERSION|TIMESTAMP »AS OF", AS_OF),
      new Construct("»TIMESTAMP|VERSION AS OF", AS_OF),
      new Construct("«AS »OF", AS_OF),
      new Construct("FROM|, »VALUES (", "Put it in parentheses: FROM (VALUES (1, 'a')) AS t (x, y)"),
      new Construct("FROM »RANGE (", "WITH RECURSIVE generates numbers"),
      new Construct("TABLESAMPLE »(", SAMPLE),
      new Construct("«SAMPLE »number", SAMPLE),
      new Construct("«SAMPLE »(", SAMPLE),
      new Construct("TABLE ( name »)", "A stream or table is named without TABLE( )"),
      new Construct("«| »>", "The clauses of a query come in the order SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY"),
      new Construct("»| >", "The clauses of a query come in the order SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY"));

  private static final List<Construct> EXPRESSIONS = List.of(
      new Construct("»AT TIME ZONE", "A TIMESTAMP is in UTC: FROM_UTC_TIMESTAMP(ts, 'Europe/Berlin') is the local time, "
          + "TO_UTC_TIMESTAMP goes back"),
      // Some units are functions as well; then the comma does not fit.
      new Construct("DATEDIFF ( »unit", DIFFERENCE),
      new Construct("DATEDIFF ( unit »,", DIFFERENCE),
      new Construct("DATEADD ( »unit", SUM),
      new Construct("DATEADD ( unit »,", SUM),
      new Construct("»DAY (", "Write DAYOFMONTH(d), or EXTRACT(DAY FROM d)"),
      new Construct("INTERVAL «amount »", image -> "Write " + IntervalText.standard(image)),
      new Construct("«amount :: »INTERVAL", image -> "Write " + IntervalText.standard(image)),
      new Construct("»->", JSON),
      new Construct("name «: »name", JSON),
      new Construct("»REGEXP|GLOB", "Write RLIKE 'regular expression', or LIKE with % and _"),
      new Construct("LIKE|ILIKE »ANY|ALL|SOME (", "Write a LIKE for each pattern, with OR or AND; or RLIKE 'a|b'"),
      new Construct("»ISNULL", "Write IS NULL"),
      new Construct("»NOTNULL", "Write IS NOT NULL"),
      new Construct("IN »UNNEST", "Write ARRAY_CONTAINS(array, value)"),
      new Construct("»UNNEST|EXPLODE (", UNNEST),
      new Construct("»[ number", LITERAL),
      new Construct("»[ string", LITERAL),
      new Construct("STRUCT ( any »AS", "Write ROW(1, 'a'), or CAST(ROW(1, 'a') AS ROW(a INTEGER, b VARCHAR)) with names"),
      new Construct("»IGNORE|RESPECT NULLS )", "Write it after the parenthesis: LAST_VALUE(x) IGNORE NULLS OVER (…)"),
      new Construct("»@", Hints.PARAMETER),
      new Construct("»: name", Hints.PARAMETER),
      new Construct("»$ {", Hints.PARAMETER),
      new Construct("«DIV »", "Write a / b, which is an integer for integers"),
      new Construct("«* »*", "Write POWER(a, b)"),
      new Construct("»|", "Write BITOR(a, b)"),
      new Construct("«type »(", image -> OtherTypes.hint(image)));

  private OtherDialects() {}

  /** Returns the word that is wrong and the way out, for the token at {@code stop}, at which the parser stopped. */
  static Optional<Construct.Found> find(Tokens tokens, int stop) {
    return OtherStatements.within(tokens, stop)
        .or(() -> Construct.first(COLUMNS, tokens, stop))
        .or(() -> Construct.first(CLAUSES, tokens, stop))
        .or(() -> Construct.first(EXPRESSIONS, tokens, stop));
  }
}
