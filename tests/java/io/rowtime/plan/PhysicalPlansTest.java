package io.rowtime.plan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.parse.Parsers;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.statement.Statements;
import io.rowtime.validate.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.junit.Test;

/**
 * The physical plans of the statements in {@code plans/*.iq}. A file has blocks with an empty line between them: comments, a
 * statement, and, if it is a query, its plan and {@code !plan}. If a plan differs, the file with the new plans is in
 * {@code build/plans}: read what differs, and copy it if that is what was meant.
 */
public class PhysicalPlansTest {
  private static final Path EXPECTED = Path.of("tests/java/io/rowtime/plan/plans");
  private static final Path ACTUAL = Path.of("build/plans");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The catalog, as the statements of one file change it. */
  private final ObjectNode catalog = JSON.createObjectNode();
  private final Set<String> operators = new TreeSet<>();

  @Test public void plans() throws Exception {
    Files.createDirectories(ACTUAL);
    List<String> different = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> found = Files.list(EXPECTED)) {
      files = found.filter(file -> file.toString().endsWith(".iq")).sorted().toList();
    }
    for (Path file : files) {
      String expected = Files.readString(file);
      String actual = planned(expected);
      if (!actual.equals(expected)) {
        Files.writeString(ACTUAL.resolve(file.getFileName()), actual);
        different.add(file.getFileName() + ": " + firstDifference(expected, actual));
      }
    }
    if (!different.isEmpty()) {
      fail("Plans are not the expected ones; " + ACTUAL + " has the files with the new ones\n" + String.join("\n", different));
    }
    assertEquals("operators without a plan in " + EXPECTED, Set.of(), missing());
  }

  private Set<String> missing() {
    Set<String> all = Stream.of(Operator.class.getDeclaredClasses()).filter(type -> type.isRecord() && Operator.class.isAssignableFrom(type))
        .map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
    all.removeAll(operators);
    // What it stands for is refused before it runs.
    all.remove("Unsupported");
    return all;
  }

  /** Returns a file with the plans that its statements have now. */
  private String planned(String file) {
    catalog.removeAll();
    catalog.put("version", 0).putArray("objects");
    catalog.putArray("lateness");
    List<String> blocks = new ArrayList<>();
    for (String block : file.strip().split("\n\n")) {
      try {
        blocks.add(block(block));
      } catch (Exception e) {
        throw new AssertionError(e.getMessage() + ":\n" + block, e);
      }
    }
    return String.join("\n\n", blocks) + "\n";
  }

  private String block(String block) throws Exception {
    List<String> lines = block.lines().toList();
    int end = 0;
    while (!lines.get(end).endsWith(";")) {
      end++;
    }
    List<String> statement = lines.subList(0, end + 1);
    String sql = statement.stream().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
    SqlNode parsed = Parsers.parseStatement(sql.substring(0, sql.length() - 1));
    Environment environment = new Environment(CatalogSnapshot.of(catalog));
    if (!parsed.isA(SqlKind.QUERY)) {
      change(new Statements(environment).plan(parsed).json());
      return String.join("\n", statement);
    }
    PhysicalNode root = PhysicalPlans.of(new QueryPlanner(environment).plan(parsed)).root();
    note(root);
    List<String> made = new ArrayList<>(statement);
    made.addAll(PlanText.of(root));
    made.add("!plan");
    return String.join("\n", made);
  }

  private void change(JsonNode statement) {
    for (JsonNode change : statement.path("changes")) {
      switch (change.path("action").asText()) {
        case "create" -> ((ArrayNode) catalog.path("objects")).add(change.path("object"));
        case "lateness" -> ((ArrayNode) catalog.path("lateness")).add(change);
        default -> throw new IllegalArgumentException("a file of plans has CREATE and LATENESS alone: " + change);
      }
    }
  }

  private void note(PhysicalNode node) {
    operators.add(node.node().operator().getClass().getSimpleName());
    node.inputs().forEach(this::note);
  }

  private static String firstDifference(String expected, String actual) {
    List<String> before = expected.lines().toList();
    List<String> now = actual.lines().toList();
    for (int i = 0; i < Math.min(before.size(), now.size()); i++) {
      if (!before.get(i).equals(now.get(i))) {
        return "line " + (i + 1) + "\n  expected: " + before.get(i) + "\n  actual:   " + now.get(i);
      }
    }
    return before.size() + " lines expected, " + now.size() + " found";
  }
}
