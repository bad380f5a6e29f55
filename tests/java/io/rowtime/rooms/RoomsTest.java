package io.rowtime.rooms;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.Test;

/**
 * What the compiler lets the code of each room use: a class in the room that names something else does not compile. The build
 * gives the class path with which it compiles a room.
 */
public class RoomsTest {
  private static final Map<String, String> NAMED = Map.of(
      "common", "io.rowtime.operator.spec.OperatorSpec",
      "planner", "io.rowtime.plan.QueryPlanner",
      "spark", "io.rowtime.spark.WholeRow",
      "storage", "io.rowtime.log.LogSource",
      "functions", "io.rowtime.functions.Functions",
      "engine", "io.rowtime.execution.Operators",
      "connectors", "io.rowtime.records.LineFormat",
      "server", "io.rowtime.serve.JdbcServer",
      "Calcite", "org.apache.calcite.rel.RelNode",
      "Spark", "org.apache.spark.sql.Row");

  private static void uses(String room, String... expected) {
    String path = System.getProperty("rooms." + room);
    assertNotNull("the build gives no class path of " + room, path);
    Map<String, JavaFileObject> planted = new TreeMap<>();
    NAMED.forEach((thing, name) -> planted.put(thing, classThatNames(name, thing)));
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, said, List.of("-classpath", path, "-proc:none"), null, planted.values());
    try {
      task.analyze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    said.getDiagnostics().stream().filter(found -> found.getKind() == Diagnostic.Kind.ERROR)
        .forEach(error -> planted.values().remove(error.getSource()));
    assertEquals(room, new TreeSet<>(List.of(expected)), planted.keySet());
  }

  private static JavaFileObject classThatNames(String name, String thing) {
    return new SimpleJavaFileObject(URI.create("string:///Uses" + thing + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return "final class Uses" + thing + " { private " + name + " field; }";
      }
    };
  }

  @Test public void commonNeedsNeitherCalciteNorSpark() {
    uses("common");
  }

  @Test public void thePlannerNeedsNoSpark() {
    uses("planner", "common", "Calcite");
  }

  @Test public void programsThatUseCalciteNeedNoSpark() {
    uses("calcite", "common", "planner", "Calcite");
  }

  @Test public void onlyTheFunctionsOfSqlComeFromPlannerAndSpark() {
    uses("functions", "common", "planner", "spark", "Calcite", "Spark");
  }

  @Test public void whatRunsInSparkNeedsNoPlanner() {
    uses("spark", "Spark");
    uses("storage", "common", "spark", "Spark");
    uses("engine", "common", "spark", "storage", "functions", "Spark");
    uses("connectors", "common", "spark", "storage", "functions", "engine", "Spark");
  }

  @Test public void theServerNeedsNeitherPlannerNorOperators() {
    uses("server", "spark", "Spark");
  }
}
