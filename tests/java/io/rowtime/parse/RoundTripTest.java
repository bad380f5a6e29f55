package io.rowtime.parse;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.sql.SqlExpeditedInsert;
import java.util.Collection;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Every statement of the test scripts, and every alternative of the grammar: text to tree to text, and to the same tree
 * again.
 */
@RunWith(Parameterized.class)
public class RoundTripTest {
  @Parameters(name = "{0}")
  public static Collection<Statements.Statement> statements() {
    return Statements.all();
  }

  @Parameter public Statements.Statement statement;

  @Test public void textOfTreeGivesTheSameTree() throws Exception {
    SqlNode first = Parsers.parseStatement(statement.sql());
    String text = SqlText.of(first);
    SqlNode second = Parsers.parseStatement(text);
    assertTrue(text, first.equalsDeep(second, Litmus.THROW));
    assertEquals(first.getClass(), second.getClass());
    assertEquals(text, SqlText.of(second));
  }

  @Test public void copyOfTreeIsTheSameTree() throws Exception {
    SqlNode node = Parsers.parseStatement(statement.sql());
    if (node instanceof SqlCall && node.getClass().getName().startsWith("io.rowtime.")) {
      SqlNode copy = node.clone(SqlParserPos.ZERO);
      assertEquals(node.getClass(), copy.getClass());
      assertTrue(node.equalsDeep(copy, Litmus.THROW));
      assertEquals(SqlText.of(node), SqlText.of(copy));
    }
  }

  @Test public void positionsStayInsideOfTheText() throws Exception {
    String sql = statement.sql();
    SqlParserPos pos = Parsers.parseStatement(sql).getParserPosition();
    long lines = sql.lines().count();
    assertTrue(pos.getLineNum() >= 1 && pos.getEndLineNum() <= lines);
    assertTrue(pos.getEndColumnNum() <= sql.lines().skip(pos.getEndLineNum() - 1L).findFirst().orElse("").length());
  }

  @Test public void expeditedIsKept() throws Exception {
    boolean expedited = statement.sql().startsWith("INSERT EXPEDITED INTO");
    assertEquals(expedited, Parsers.parseStatement(statement.sql()) instanceof SqlExpeditedInsert);
    assertTrue(!expedited || SqlText.of(Parsers.parseStatement(statement.sql())).startsWith("INSERT EXPEDITED INTO"));
  }
}
