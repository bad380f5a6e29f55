package io.rowtime.operator.spec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * Each record can be read if it is complete, and is refused if any field is missing, unknown, null or of another type.
 */
public class OperatorSpecTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CALL = "{'name': 'c', 'function': 'LAG', 'args': ['x'], 'number': 2, 'fraction': null, 'separator': null, "
      + "'distinct': false, 'ignoreNulls': true, 'filter': 'f', 'type': 'BIGINT'}";
  private static final String MEDIAN = "{'name': 'm', 'function': 'PERCENTILE_CONT', 'args': ['x'], 'number': null, 'fraction': 0.5, "
      + "'separator': null, 'distinct': true, 'ignoreNulls': false, 'filter': null, 'type': 'DOUBLE'}";
  private static final String LIST = "{'name': 'l', 'function': 'LISTAGG', 'args': ['x'], 'number': null, 'fraction': null, "
      + "'separator': ';', 'distinct': false, 'ignoreNulls': false, 'filter': null, 'type': 'STRING'}";
  private static final String STEP = "{'function': 'LOCAL', 'micros': 0, 'offset': 0, 'months': 0, 'zone': 'Europe/Berlin'}";
  private static final String ARRIVALS = "{'ordered': {'disordered': true, 'maxDisorder': 0, 'early': false}, "
      + "'unordered': {'disordered': false, 'maxDisorder': 1, 'early': true}}";
  private static final String SIDE = "{'keys': ['k'], 'columns': ['k', 'v'], 'time': 't', 'from': -5, 'to': 7, 'rows': null, "
      + "'window': {'micros': 1000, 'offset': 5, 'months': 0}, 'clock': [" + STEP
      + "], 'arrivals': " + ARRIVALS + ", 'distinct': true}";

  private static final String VERSIONS = "{'keys': ['k'], 'columns': ['k', 'v'], 'time': 't', 'clock': [" + STEP + "], 'arrivals': " + ARRIVALS + "}";

  private static final String UPDATED = "{'keys': ['k'], 'columns': ['k', 'v'], 'change': 'n', 'progress': {'time': 't', 'clock': [" + STEP + "], 'arrivals': " + ARRIVALS + "}, "
      + "'end': {'column': 'e', 'micros': 9}}";

  /** For each record, one in which every field has a value. */
  private static final List<String> WHOLE = List.of(
      "{'operator': 'over', 'partition': ['k'], 'time': 't', 'clock': [" + STEP + "], 'seq': 's', 'arrivals': " + ARRIVALS + ", "
          + "'closes': 'e', 'windows': [{'order': [{'column': 't', 'descending': false, 'nullsFirst': true}], 'rows': false, "
          + "'lower': {'kind': 'PRECEDING', 'offset': '2.50'}, 'upper': {'kind': 'CURRENT_ROW', 'offset': null}, 'calls': [" + CALL
          + ", " + MEDIAN + ", " + LIST + "]}]}",
      "{'operator': 'group', 'partition': ['k'], 'keys': ['k', 'h'], 'closes': 'e', 'time': 't', 'clock': [" + STEP + "], 'arrivals': " + ARRIVALS + ", "
          + "'calls': [" + MEDIAN + "], 'combine': [" + LIST + "]}",
      "{'operator': 'hop', 'keys': ['k'], 'time': 't', 'arrivals': " + ARRIVALS + ", "
          + "'slide': 10, 'size': 30, 'offset': 2, 'clock': [" + STEP + "], 'calls': [" + MEDIAN + "], 'combine': []}",
      "{'operator': 'session', 'keys': ['k'], 'time': 't', 'clock': [" + STEP + "], 'closes': 'e', "
          + "'arrivals': " + ARRIVALS + ", 'gap': 10, 'calls': [" + MEDIAN + "]}",
      "{'operator': 'interval_join', 'joinType': 'LEFT', 'left': " + SIDE + ", 'right': " + SIDE
          + ", 'rowtime': 't'}",
      "{'operator': 'temporal_join', 'joinType': 'LEFT', 'left': " + VERSIONS + ", 'right': " + VERSIONS + ", 'shift': -5, 'inclusive': true, "
          + "'within': 9, 'identity': ['v'], 'oneTask': true, 'seq': 's', 'rowtime': 't'}",
      "{'operator': 'top_n', 'partition': ['k'], 'order': [{'column': 'v', 'descending': true, 'nullsFirst': false}], 'function': 'RANK', "
          + "'limit': 3, 'ranks': [{'name': 'r', 'function': 'DENSE_RANK'}], 'time': 't', 'clock': [" + STEP + "], 'seq': 's', 'closes': 'e', "
          + "'arrivals': " + ARRIVALS + "}",
      "{'operator': 'search_key', 'joinType': 'LEFT', 'keys': ['k'], 'found': [{'name': 'f', 'column': 'F', 'sqlType': 'INTEGER', 'sparkType': 'INT'}], "
          + "'searched': ['f'], 'capacity': 4, 'timeout': 5, 'batchSize': 10, 'retries': 2, 'delay': 7, 'cacheTtl': 60, 'cacheRows': 100, "
          + "'cacheMisses': true}",
      "{'operator': 'search_files', 'joinType': 'LEFT', 'keys': ['k'], 'searched': ['f'], 'cacheTtl': 60, "
          + "'cacheRows': 100, 'cacheMisses': true}",
      "{'operator': 'process', 'function': 'F', 'language': 'JAVA', 'body': 'a.B', 'partition': ['k'], 'time': 't', "
          + "'seq': 's', 'columns': [{'column': 'c', 'name': 'C'}], 'parameters': ['n'], 'results': [{'name': 'X', 'type': 'INTEGER', "
          + "'sparkType': 'INT'}], 'clock': [" + STEP + "], 'delay': 7, 'stateTtl': 9, 'arrivals': " + ARRIVALS + "}",
      "{'operator': 'session_windows', 'keys': ['k'], 'time': 't', 'clock': [" + STEP + "], 'closes': 'e', "
          + "'arrivals': " + ARRIVALS + ", 'gap': 10}",
      "{'operator': 'claims', 'query': 'q', 'checkpoint': 'c', 'node': 'filter (node 2)', 'rowtime': 'c', 'columns': [{'column': 'c', 'name': 'C'}], "
          + "'required': ['c'], 'limits': [{'column': 'w', 'claim': 'it is late'}], 'orders': [{'column': 'c', 'decreasing': true, "
          + "'strict': false, 'disorder': 5}], 'unique': [{'columns': ['c'], 'rows': 2}], "
          + "'constants': [{'column': 'w', 'name': 'the end', 'of': ['c']}]}",
      "{'operator': 'updating_group', 'keys': ['k'], 'change': 'n', 'calls': [" + MEDIAN + "], 'combine': [" + LIST + "]}",
      "{'operator': 'changelog', 'columns': ['k', 'v'], 'change': 'n', 'key': ['k'], 'placed': false, 'upserts': true, 'renews': true}",
      "{'operator': 'renewed_group', 'keys': ['k'], 'time': 't', 'clock': [" + STEP + "], 'closes': 'e', 'arrivals': " + ARRIVALS + ", 'ttl': 10, "
          + "'calls': [" + MEDIAN + "]}",
      "{'operator': 'renewed_top_n', 'columns': ['k', 'v', 't'], 'partition': ['k'], 'order': [{'column': 'v', 'descending': true, 'nullsFirst': false}], "
          + "'function': 'ROW_NUMBER', 'limit': 3, 'ranks': [{'name': 'r', 'function': 'RANK'}], 'time': 't', 'clock': [" + STEP + "], 'closes': 'e', "
          + "'arrivals': " + ARRIVALS + ", 'ttl': 10}",
      "{'operator': 'from_changelog', 'columns': ['k', 'v'], 'op': 'o', 'key': ['k'], 'order': 's', 'change': 'n'}",
      "{'operator': 'updating_top_n', 'columns': ['k', 'v', 't'], 'partition': ['k'], 'order': [{'column': 'v', 'descending': true, 'nullsFirst': false}], "
          + "'function': 'ROW_NUMBER', 'limit': 3, 'ranks': [{'name': 'r', 'function': 'RANK'}], 'time': 't', 'change': 'n'}",
      "{'operator': 'temporal_filter', 'columns': ['k', 'v'], 'enters': ['t'], 'leaves': ['u'], 'change': 'n'}",
      "{'operator': 'updating_join', 'joinType': 'FULL', 'left': " + UPDATED + ", 'right': " + UPDATED + ", 'onlyAdds': true}",
      "{'operator': 'updating_over', 'columns': ['k', 'v', 't'], 'partition': ['k'], 'order': [{'column': 'v', 'descending': true, "
          + "'nullsFirst': false}], 'time': 't', 'change': 'n', 'windows': [{'order': [], 'rows': true, 'lower': {'kind': 'PRECEDING', "
          + "'offset': '2'}, 'upper': {'kind': 'CURRENT_ROW', 'offset': null}, 'calls': [" + CALL + "]}]}");

  private static final List<Class<? extends OperatorSpec>> TYPES = records();

  /** Returns the records of the package that are specs of operators. */
  private static List<Class<? extends OperatorSpec>> records() {
    try {
      Path file = Path.of(OperatorSpec.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(file)) {
        return records(file);
      }
      try (FileSystem jar = FileSystems.newFileSystem(file)) {
        return records(jar.getPath("/"));
      }
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Class<? extends OperatorSpec>> records(Path root) throws IOException {
    List<Class<? extends OperatorSpec>> found = new ArrayList<>();
    String packageName = OperatorSpec.class.getPackageName();
    try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
      for (String name : files.map(each -> each.getFileName().toString()).filter(each -> each.endsWith(".class")).sorted().toList()) {
        Class<?> type = Class.forName(packageName + "." + name.substring(0, name.length() - ".class".length()));
        if (type.isRecord() && OperatorSpec.class.isAssignableFrom(type)) {
          found.add(type.asSubclass(OperatorSpec.class));
        }
      }
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private static Class<? extends OperatorSpec> type(JsonNode json) {
    return TYPES.stream().filter(type -> OperatorSpec.name(type).equals(json.get("operator").textValue())).findAny().orElseThrow();
  }

  private static List<ObjectNode> wholes() throws IOException {
    List<ObjectNode> wholes = new ArrayList<>();
    for (String whole : WHOLE) {
      wholes.add((ObjectNode) JSON.readTree(whole.replace('\'', '"')));
    }
    return wholes;
  }

  private static String refused(Class<? extends OperatorSpec> type, JsonNode json) {
    String message = assertThrows(json.toString(), InvalidSpecException.class, () -> OperatorSpec.read(type, json.toString())).getMessage();
    assertFalse(message, message.contains("io.rowtime") || message.contains("java."));
    return message;
  }

  @Test public void onlyNamesOfOperatorsAreFound() {
    for (String name : List.of("", "nothing", "Over", "operator", "grouping", "over_", "_over", "join_input", "spec", "window.over", "../over")) {
      String message = assertThrows(name, InvalidSpecException.class, () -> OperatorSpec.read("{\"operator\": \"" + name + "\"}")).getMessage();
      assertTrue(message, message.contains("there is no such operator"));
    }
  }

  @Test public void everyRecordIsShownWholeHere() throws IOException {
    assertEquals(new TreeSet<>(TYPES.stream().map(OperatorSpec::name).toList()),
        new TreeSet<>(wholes().stream().map(whole -> whole.get("operator").textValue()).toList()));
  }

  @Test public void wholeOnesAreRead() throws IOException {
    for (ObjectNode whole : wholes()) {
      OperatorSpec spec = OperatorSpec.read(whole.toString());
      assertEquals(type(whole), spec.getClass());
      assertEquals(whole, JSON.readTree(spec.toJson().toString()));
    }
    OverSpec over = OperatorSpec.read(OverSpec.class, wholes().get(0).toString());
    Bound lower = new Bound(Bound.Kind.PRECEDING, new BigDecimal("2.50"));
    assertEquals(lower, over.windows().get(0).lower());
    assertEquals(new Call("m", "PERCENTILE_CONT", List.of("x"), null, 0.5, null, true, false, null, "DOUBLE"),
        over.windows().get(0).calls().get(1));
  }

  @Test public void fieldsThatMayBeNullMayBeNull() throws IOException {
    for (ObjectNode whole : wholes()) {
      for (RecordComponent component : type(whole).getRecordComponents()) {
        ObjectNode without = whole.deepCopy().putNull(component.getName());
        if (component.isAnnotationPresent(Nullable.class)) {
          OperatorSpec.read(type(whole), without.toString());
        } else {
          assertTrue(refused(type(whole), without).contains(component.getName()));
        }
      }
    }
  }

  @Test public void aMissingFieldIsRefusedWhereverItIs() throws IOException {
    int[] count = {0};
    for (ObjectNode whole : wholes()) {
      Class<? extends OperatorSpec> type = type(whole);
      eachObject(whole, whole, (changed, object) -> {
        for (String name : names(object)) {
          JsonNode taken = object.remove(name);
          String message = refused(type, changed);
          assertTrue(message, message.contains(name + " is missing"));
          object.set(name, taken);
          count[0]++;
        }
      });
    }
    assertTrue("fields: " + count[0], count[0] > 100);
  }

  @Test public void anUnknownFieldIsRefusedWhereverItIs() throws IOException {
    for (ObjectNode whole : wholes()) {
      Class<? extends OperatorSpec> type = type(whole);
      eachObject(whole, whole, (changed, object) -> {
        object.put("more", 1);
        String message = refused(type, changed);
        assertTrue(message, message.endsWith("more is an unknown field"));
        object.remove("more");
      });
    }
  }

  @Test public void anotherTypeIsRefusedWhereverItIs() throws IOException {
    JsonNodeFactory make = JsonNodeFactory.instance;
    List<JsonNode> values = List.of(make.textNode("text"), make.numberNode(1.5), make.booleanNode(true), make.objectNode(), make.arrayNode().add(1.5));
    for (ObjectNode whole : wholes()) {
      Class<? extends OperatorSpec> type = type(whole);
      eachObject(whole, whole, (changed, object) -> {
        for (String name : names(object)) {
          JsonNode taken = object.get(name);
          for (JsonNode value : values) {
            if (value.getNodeType() != taken.getNodeType() || value.isDouble() && taken.isIntegralNumber()) {
              object.set(name, value);
              String message = taken.isNull() ? null : refused(type, changed);
              assertTrue(message, message == null || message.contains(name));
            }
          }
          object.set(name, taken);
        }
      });
    }
  }

  @Test public void messagesNameThePlace() throws IOException {
    ObjectNode over = wholes().get(0);
    ObjectNode call = (ObjectNode) over.get("windows").get(0).get("calls").get(1);
    call.put("distinct", "yes");
    assertEquals("The description of the operator over cannot be read: windows[0].calls[1].distinct must be true or false, but is \"yes\"",
        refused(OverSpec.class, over));
    ObjectNode hop = wholes().get(2).put("slide", 1.5);
    assertEquals("The description of the operator hop cannot be read: slide must be a whole number, but is 1.5", refused(HopSpec.class, hop));
  }

  @Test public void contradictionsAreRefused() throws IOException {
    ObjectNode over = wholes().get(0);
    ((ObjectNode) over.get("windows").get(0).get("lower")).putNull("offset");
    assertTrue(refused(OverSpec.class, over).contains("windows[0].lower: PRECEDING and FOLLOWING need an offset"));
    over = wholes().get(0);
    ((ObjectNode) over.get("windows").get(0).get("calls").get(0)).putNull("number");
    assertTrue(refused(OverSpec.class, over).contains("windows[0].calls[0]: LAG needs a number"));
    ((ObjectNode) over.get("windows").get(0).get("calls").get(0)).put("number", 1).put("separator", ",");
    assertTrue(refused(OverSpec.class, over).contains("LAG takes no separator"));
    assertTrue(refused(HopSpec.class, wholes().get(2).put("slide", 0)).contains("must be positive"));
    assertTrue(refused(SessionSpec.class, wholes().get(3).put("gap", 0)).contains("must be positive"));
    assertTrue(refused(TopNSpec.class, wholes().get(6).put("limit", -1)).contains("must not be negative"));
    ObjectNode join = wholes().get(4);
    ((ArrayNode) join.get("left").get("keys")).add("another");
    assertTrue(refused(IntervalJoinSpec.class, join).contains("different numbers of keys"));
    ((ObjectNode) join.get("left")).put("rows", 1);
    assertTrue(refused(IntervalJoinSpec.class, join).contains("left: a side ends by time or by rows"));
  }

  @Test public void thatOfAnotherOperatorIsRefused() throws IOException {
    assertTrue(refused(HopSpec.class, wholes().get(3)).contains("operator is \"session\""));
    assertThrows(InvalidSpecException.class, () -> OperatorSpec.read(HopSpec.class, "{"));
    assertThrows(InvalidSpecException.class, () -> OperatorSpec.read(HopSpec.class, "[]"));
  }

  private interface Change {
    void to(ObjectNode whole, ObjectNode object);
  }

  private static void eachObject(ObjectNode whole, JsonNode at, Change change) {
    if (at instanceof ObjectNode object) {
      change.to(whole, object);
    }
    at.forEach(part -> eachObject(whole, part, change));
  }

  private static List<String> names(ObjectNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
