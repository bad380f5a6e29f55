package io.rowtime.parse;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlAlterPump;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreatePump;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlCreateView;
import io.rowtime.sql.SqlDescribeObject;
import io.rowtime.sql.SqlDropObject;
import io.rowtime.sql.SqlExpeditedInsert;
import io.rowtime.sql.SqlExplainStatement;
import io.rowtime.sql.SqlLateness;
import io.rowtime.sql.SqlOption;
import io.rowtime.sql.SqlPrimaryKeyConstraint;
import io.rowtime.sql.SqlPumpReset;
import io.rowtime.sql.SqlShow;
import io.rowtime.sql.SqlTransaction;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;
import org.junit.Test;

/** The contents of the nodes. */
public class TreeTest {
  private static SqlNode parse(String sql) throws Exception {
    return Parsers.parseStatement(sql);
  }

  private static SqlNode item(String expression) throws Exception {
    return ((SqlSelect) parse("SELECT " + expression + " FROM t")).getSelectList().get(0);
  }

  private static void same(String a, String b) throws Exception {
    assertTrue(a + " / " + b, parse(a).equalsDeep(parse(b), Litmus.THROW));
  }

  private static void differ(String a, String b) throws Exception {
    assertFalse(a + " / " + b, parse(a).equalsDeep(parse(b), Litmus.IGNORE));
  }

  @Test public void createRelation() throws Exception {
    SqlCreateRelation create = (SqlCreateRelation) parse("CREATE OR REPLACE FOREIGN STREAM IF NOT EXISTS a.s ("
        + "id BIGINT NOT NULL PRIMARY KEY MONOTONIC, d DATE MONOTONIC DECREASING DEFAULT DATE '2020-01-01',"
        + " ts TIMESTAMP WATERMARK INTERVAL '1' MINUTE LATENESS INTERVAL 1 HOUR, CONSTRAINT pk PRIMARY KEY (id, d))"
        + " OPTIONS (connector 'kafka', Kafka.Topic = 't', \"Kept\" 10, user FALSE)");
    assertEquals(ObjectKind.FOREIGN_STREAM, create.kind);
    assertTrue(create.getReplace());
    assertTrue(create.ifNotExists);
    assertEquals(List.of("A", "S"), create.name.names);
    assertNull(create.query);

    SqlColumnDeclaration id = (SqlColumnDeclaration) create.elements.get(0);
    assertEquals("ID", id.name.getSimple());
    assertEquals(Boolean.FALSE, id.type.getNullable());
    assertTrue(id.primaryKey);
    assertEquals(SqlColumnDeclaration.Monotonic.INCREASING, id.monotonic);
    SqlColumnDeclaration d = (SqlColumnDeclaration) create.elements.get(1);
    assertEquals(Boolean.TRUE, d.type.getNullable());
    assertEquals(SqlColumnDeclaration.Monotonic.DECREASING, d.monotonic);
    assertEquals("DATE '2020-01-01'", SqlText.of(d.defaultValue));
    SqlColumnDeclaration ts = (SqlColumnDeclaration) create.elements.get(2);
    assertEquals("INTERVAL '1' HOUR", SqlText.of(ts.lateness));
    assertEquals("INTERVAL '1' MINUTE", SqlText.of(ts.watermark));
    assertNull(ts.monotonic);
    SqlPrimaryKeyConstraint key = (SqlPrimaryKeyConstraint) create.elements.get(3);
    assertEquals("PK", key.name.getSimple());
    assertEquals(2, key.columns.size());

    List<String> optionTexts = create.options.stream().map(o -> (SqlOption) o).map(o -> o.keyText() + "=" + o.valueText()).toList();
    assertEquals(List.of("connector=kafka", "kafka.topic=t", "Kept=10", "user=false"), optionTexts);
  }

  @Test public void optionsAndWithAreTheSame() throws Exception {
    same("CREATE STREAM s (a INTEGER) OPTIONS (history 'all', rows 5)",
        "CREATE STREAM s (a INTEGER) WITH ('history' = 'all', 'rows' = 5)");
    assertTrue(((SqlCreateRelation) parse("CREATE STREAM s (a INTEGER) OPTIONS ()")).options.isEmpty());
  }

  @Test public void kindsAndFlagsAreToldApart() throws Exception {
    differ("CREATE STREAM s (a INTEGER)", "CREATE TABLE s (a INTEGER)");
    differ("CREATE STREAM s (a INTEGER)", "CREATE OR REPLACE STREAM s (a INTEGER)");
    differ("CREATE STREAM s (a INTEGER)", "CREATE STREAM IF NOT EXISTS s (a INTEGER)");
    differ("CREATE STREAM s (a INTEGER)", "CREATE STREAM s (a INTEGER NOT NULL)");
    differ("CREATE STREAM s (a INTEGER)", "CREATE STREAM s (a INTEGER PRIMARY KEY)");
    differ("CREATE STREAM s (a INTEGER MONOTONIC)", "CREATE STREAM s (a INTEGER MONOTONIC DECREASING)");
    differ("CREATE STREAM s (a INTEGER LATENESS 1)", "CREATE STREAM s (a INTEGER WATERMARK 1)");
    differ("CREATE PUMP p AS INSERT INTO t SELECT * FROM s", "CREATE PUMP p STARTED AS INSERT INTO t SELECT * FROM s");
    differ("CREATE PUMP p AS INSERT INTO t SELECT * FROM s",
        "CREATE PUMP p OPTIONS (partitions 4) AS INSERT INTO t SELECT * FROM s");
    differ("ALTER PUMP p START", "ALTER PUMP p STOP");
    differ("ALTER PUMP p START", "ALTER PUMP p START RESET");
    differ("ALTER PUMP p START RESET", "ALTER PUMP p START RESET DROP STATE");
    differ("ALTER PUMP p START RESET FROM EARLIEST", "ALTER PUMP p START RESET FROM EARLIEST ALLOW DUPLICATES");
    differ("ALTER PUMP p START RESET FROM EARLIEST", "ALTER PUMP p START RESET KEEP POSITION");
    differ("ALTER PUMP p START RESET FROM TIMESTAMP '2024-05-01 00:00:00'",
        "ALTER PUMP p START RESET FROM TIMESTAMP '2024-05-02 00:00:00'");
    differ("ALTER PUMP p START FROM SAVE 'a'", "ALTER PUMP p START FROM SAVE 'b'");
    differ("ALTER PUMP p START FROM OFFSETS (s => 1)", "ALTER PUMP p START FROM OFFSETS (s => 2)");
    differ("ALTER PUMP p SAVE 'a'", "ALTER PUMP p DROP SAVE 'a'");
    differ("ALTER PUMP p SAVE 'a'", "ALTER PUMP p SAVE 'b'");
    differ("ALTER PUMP p RESUME", "ALTER PUMP p RESUME SKIP");
    differ("ALTER PUMP p REPLACE WITH q", "ALTER PUMP p REPLACE WITH r");
    differ("SHOW SAVES", "SHOW SAVES LIKE 'a'");
    differ("CREATE PUMP p STARTED AS INSERT INTO t SELECT * FROM s", "CREATE PUMP p STARTED RESET AS INSERT INTO t SELECT * FROM s");
    differ("DROP STREAM s", "DROP VIEW s");
    differ("DROP STREAM s", "DROP STREAM IF EXISTS s");
    differ("DROP STREAM s", "DROP STREAM s CASCADE");
    differ("SHOW STREAMS", "SHOW FOREIGN STREAMS");
    differ("SHOW STREAMS", "SHOW STREAMS LIKE 'a'");
    differ("DESCRIBE s", "DESCRIBE STREAM s");
    differ("COMMIT", "ROLLBACK");
    differ("INSERT INTO t SELECT * FROM s", "INSERT EXPEDITED INTO t SELECT * FROM s");
    same("CREATE PUMP p STARTED RESET AS INSERT INTO t SELECT * FROM s", "CREATE PUMP p START RESET AS INSERT INTO t SELECT * FROM s");
    same("CREATE PUMP p AS INSERT INTO t SELECT * FROM s", "CREATE PUMP p STOPPED AS INSERT INTO t SELECT * FROM s");
  }

  @Test public void otherStatements() throws Exception {
    SqlCreateView view = (SqlCreateView) parse("CREATE VIEW v (a, b) AS SELECT 1, 2");
    assertEquals(2, view.columns.size());
    assertEquals(SqlKind.SELECT, view.query.getKind());
    assertNull(((SqlCreateView) parse("CREATE VIEW v AS SELECT 1")).columns);

    SqlCreatePump pump = (SqlCreatePump) parse("CREATE PUMP p STARTED AS INSERT EXPEDITED INTO t SELECT STREAM * FROM s");
    assertTrue(pump.started);
    assertTrue(pump.body instanceof SqlExpeditedInsert);
    assertEquals("T", pump.target().toString());

    SqlCreatePump split =
        (SqlCreatePump) parse("CREATE PUMP p STARTED OPTIONS (partitions 4) AS INSERT INTO t SELECT STREAM * FROM s");
    assertEquals("4", ((SqlOption) split.options.get(0)).valueText());
    assertTrue(pump.options.isEmpty());
    SqlAlterPump alter = (SqlAlterPump) parse("ALTER PUMP a.p RESUME RESET");
    assertEquals(SqlAlterPump.Verb.RESUME, alter.verb);
    assertEquals(SqlPumpReset.From.NOW, alter.reset.from);

    SqlLateness lateness = (SqlLateness) parse("LATENESS s.v.c INTERVAL '1' HOUR");
    assertEquals(List.of("S", "V"), lateness.view.names);
    assertEquals("C", lateness.column.getSimple());

    SqlShow show = (SqlShow) parse("SHOW FOREIGN TABLES LIKE 'a%'");
    assertEquals(ObjectKind.FOREIGN_TABLE, show.what);
    assertEquals("a%", show.like.toValue());

    assertEquals(ObjectKind.PUMP, ((SqlDescribeObject) parse("DESCRIBE PUMP p")).kind);
    SqlDescribeObject named = (SqlDescribeObject) parse("DESCRIBE pump");
    assertNull(named.kind);
    assertEquals("PUMP", named.name.getSimple());

    assertEquals(SqlKind.INSERT,
        ((SqlExplainStatement) parse("EXPLAIN PLAN FOR INSERT INTO t VALUES (1)")).statement.getKind());
    SqlTransaction back = (SqlTransaction) parse("ROLLBACK TO SAVEPOINT a");
    assertEquals(SqlTransaction.Action.ROLLBACK, back.action);
    assertEquals("A", back.savepoint.getSimple());
    assertTrue(((SqlDropObject) parse("DROP VIEW v CASCADE")).cascade);
  }

  @Test public void intervalsWithoutQuotesAreLiterals() throws Exception {
    for (String text : List.of("INTERVAL 1 HOUR", "INTERVAL 1 HOURS", "INTERVAL '1' HOUR")) {
      assertEquals("INTERVAL '1' HOUR", SqlText.of(item(text)));
      assertTrue(item(text) instanceof SqlIntervalLiteral);
    }
    assertEquals("INTERVAL -'2' DAY", SqlText.of(item("INTERVAL -2 DAY")));
    assertEquals(SqlKind.INTERVAL, item("INTERVAL a HOUR").getKind());
  }

  @Test public void pairsInMaps() throws Exception {
    assertEquals("MAP['a', 'b', 'c', 'd']", SqlText.of(item("MAP['a' = 'b', 'c', 'd']")));
    assertEquals("MAP[A = 1, 2]", SqlText.of(item("MAP[a = 1, 2]")));
  }

  @Test public void windows() throws Exception {
    SqlWindow w = (SqlWindow) ((SqlCall) item("SUM(a) OVER w (ROWS 2 PRECEDING ORDER BY b PARTITION BY c)")).operand(1);
    assertEquals("W", w.getRefName().getSimple());
    assertTrue(w.isRows());
    assertEquals(1, w.getOrderList().size());
    assertEquals(1, w.getPartitionList().size());
    assertEquals("2 PRECEDING", SqlText.of(w.getLowerBound()));
    assertNull(w.getUpperBound());
    same("SELECT SUM(a) OVER w (ROWS 2 PRECEDING) FROM t", "SELECT SUM(a) OVER (w ROWS 2 PRECEDING) FROM t");
    same("SELECT SUM(a) OVER (ORDER BY b PARTITION BY c) FROM t",
        "SELECT SUM(a) OVER (PARTITION BY c ORDER BY b) FROM t");
    same("SELECT SUM(a) OVER (ROWS 3 FOLLOWING) FROM t",
        "SELECT SUM(a) OVER (ROWS BETWEEN CURRENT ROW AND 3 FOLLOWING) FROM t");
    same("SELECT SUM(a) OVER (ROWS 3 PRECEDING ALLOW PARTIAL) FROM t", "SELECT SUM(a) OVER (ROWS 3 PRECEDING) FROM t");

    SqlCall over = (SqlCall) ((SqlCall) ((SqlSelect) parse("SELECT * FROM s OVER (RANGE CURRENT ROW) AS x")).getFrom()).operand(0);
    assertEquals(SqlKind.OVER, over.getKind());
    assertEquals(SqlKind.IDENTIFIER, over.operand(0).getKind());
    assertTrue(SqlWindow.isCurrentRow(((SqlWindow) over.operand(1)).getLowerBound()));
  }

  @Test public void tableFunctions() throws Exception {
    same("SELECT * FROM a, LATERAL f(a.x) AS g", "SELECT * FROM a, LATERAL TABLE(f(a.x)) AS g");
    same("SELECT * FROM f(t) AS g", "SELECT * FROM TABLE(f(t)) AS g");
    same("SELECT STREAM /*+ FROM_EARLIEST */ * FROM s", "SELECT /*+ FROM_EARLIEST */ STREAM * FROM s");
  }

  @Test public void commaWithConditionIsAJoin() throws Exception {
    same("SELECT * FROM a, b ON a.x = b.x, c", "SELECT * FROM a JOIN b ON a.x = b.x, c");
  }

  @Test public void positions() throws Exception {
    String sql = "CREATE STREAM s (\n  a INTEGER,\n\tb VARCHAR(10) NOT NULL\r\n    LATENESS 5\n) OPTIONS (x 'y')";
    SqlCreateRelation create = (SqlCreateRelation) parse(sql);
    assertEquals(new SqlParserPos(1, 1, 5, 17), create.getParserPosition());
    assertEquals(new SqlParserPos(1, 15, 1, 15), create.name.getParserPosition());
    assertEquals(new SqlParserPos(2, 3, 2, 11), create.elements.get(0).getParserPosition());
    // A tab is one column, CR LF is one line end.
    assertEquals(new SqlParserPos(3, 2, 4, 14), create.elements.get(1).getParserPosition());
    assertEquals(new SqlParserPos(4, 14, 4, 14),
        ((SqlColumnDeclaration) create.elements.get(1)).lateness.getParserPosition());
    assertEquals(new SqlParserPos(5, 12, 5, 16), create.options.get(0).getParserPosition());
  }

  @Test public void namesAreQuotedWhereTheyNeedIt() throws Exception {
    assertEquals("SELECT A, \"b\", \"C D\", \"SELECT\", \"E\"\"F\", PUMP\nFROM T",
        SqlText.of(parse("SELECT a, \"b\", \"C D\", \"SELECT\", \"E\"\"F\", pump FROM t")));
  }

  @Test public void expressions() throws Exception {
    assertEquals("CAST(NULL AS DECIMAL(10, 2))", SqlText.of(Parsers.parseExpression("CAST(NULL AS DECIMAL(10, 2))")));
    assertEquals("INTERVAL '1' HOUR", SqlText.of(Parsers.parseExpression("interval 1 hour")));
  }
}
