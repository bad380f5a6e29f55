package io.rowtime.plan.physical;

import static io.rowtime.plan.physical.FieldRole.CONDITION;
import static io.rowtime.plan.physical.FieldRole.INDEX;
import static io.rowtime.plan.physical.FieldRole.LEFT_REX;
import static io.rowtime.plan.physical.FieldRole.REX;
import static io.rowtime.plan.physical.FieldRole.RIGHT_INDEX;
import static io.rowtime.plan.physical.FieldRole.RIGHT_REX;
import static io.rowtime.plan.physical.FieldRole.SORT_KEYS;
import static io.rowtime.plan.physical.FieldRole.VALUE;
import static io.rowtime.plan.physical.FieldRole.ignored;
import static io.rowtime.plan.physical.FieldRole.list;
import static io.rowtime.plan.physical.FieldRole.object;
import static io.rowtime.plan.physical.FieldRole.unordered;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of each operator of a plan, and how each enters the meaning of a node. A field that is not declared is an error,
 * so no operator can get one that saved state depends on without anybody noticing.
 */
final class NodeFields {
  /** A field, the word for it in messages, and its role. */
  private record Field(String name, String word, FieldRole role) {}

  private static final FieldRole ARRIVAL = ignored("follows from the order of the sources; it says when, not what");
  private static final FieldRole NAME = ignored("names a column of the result");

  private static final Map<String, FieldRole> COMMON = Map.ofEntries(
      Map.entry("op", ignored("the name of the operator, which each text begins with")),
      Map.entry("id", ignored("a number of this plan")),
      Map.entry("origin", ignored("a place in the text of the statement")),
      Map.entry("inputs", ignored("have meanings of their own")),
      Map.entry("fields", ignored("names and types of the result, which follow from the expressions")),
      Map.entry("rowtime", ignored("enters the meaning of the node above as an expression")),
      Map.entry("state", ignored("follows from the other fields")),
      Map.entry("streaming", ignored("follows from the sources")),
      Map.entry("clock", ignored("follows from the expressions; a part of each signature")),
      Map.entry("changes", ignored("follows from the operator")),
      Map.entry("needs", ignored("follows from the operator")),
      Map.entry("signature", ignored("is what is made here")),
      Map.entry("sorted", ignored("follows from the operators")),
      Map.entry("inOrder", ignored("follows from the order of the sources")),
      Map.entry("claims", ignored("are proved from the other fields")),
      Map.entry("stored", ignored("an order that follows from the meaning of the columns")),
      Map.entry("reads", ignored("part of a signature as the columns that are stored")));

  private static final FieldRole CALL = FieldRole.call(object(Map.of("function", VALUE, "args", list(INDEX), "distinct", VALUE, "ofSet", VALUE,
      "filter", INDEX, "order", SORT_KEYS, "type", VALUE, "nullable", VALUE, "name", NAME)));
  private static final FieldRole HOP_CALL = FieldRole.call(object(Map.of("function", VALUE, "args", list(INDEX), "distinct", VALUE, "ofSet", VALUE,
      "filter", INDEX, "order", SORT_KEYS, "type", VALUE, "nullable", VALUE, "name", NAME, "mergedBy", VALUE)));
  private static final FieldRole OVER_CALL = FieldRole.call(object(Map.of("function", VALUE, "args", list(REX), "distinct", VALUE,
      "ignoreNulls", VALUE, "type", VALUE, "nullable", VALUE, "name", NAME)));
  private static final FieldRole OPERATOR = object(Map.of(
      "calls", list(object(Map.of("function", VALUE, "args", list(object(Map.of("value", REX, "type", VALUE))), "type", VALUE,
          "number", VALUE, "fraction", VALUE, "separator", VALUE, "distinct", VALUE, "ignoreNulls", VALUE, "filter", REX,
          "combinedBy", VALUE))),
      "results", list(object(Map.of("kind", VALUE, "calls", list(VALUE))))));
  private static final FieldRole BORDER = object(Map.of("kind", VALUE, "offset", REX));
  private static final FieldRole OVER_WINDOW = object(Map.of("partition", list(INDEX), "order", SORT_KEYS,
      "frame", object(Map.of("rows", VALUE, "lower", BORDER, "upper", BORDER)), "calls", list(OVER_CALL), "placesPeers", VALUE,
      "byTime", VALUE, "operator", OPERATOR));
  private static final FieldRole PASS = object(Map.of("windows", VALUE, "clock", VALUE, "time", object(Map.of("index", INDEX, "clock", VALUE)),
      "closes", REX, "waits", VALUE, "waitsForRows", VALUE, "arrival", ARRIVAL));
  private static final FieldRole GAP = object(Map.of("key", INDEX, "gap", VALUE));

  private NodeFields() {}

  /**
   * Returns the texts of a node's own fields that matter, by the words for them.
   *
   * @throws IllegalStateException if the node has a field that is not declared
   */
  static Map<String, String> describe(ObjectNode node, FieldRole.Scope scope) {
    Map<String, Field> declared = new LinkedHashMap<>();
    PlanOperator operator = PlanOperator.of(node);
    for (Field field : of(operator)) {
      declared.put(field.name, field);
    }
    if (operator != PlanOperator.UNSUPPORTED) {
      node.fieldNames().forEachRemaining(name -> {
        if (!declared.containsKey(name) && !COMMON.containsKey(name)) {
          throw FieldRole.undeclared("the operator " + operator.op(), name);
        }
      });
    }
    Map<String, String> texts = new LinkedHashMap<>();
    declared.values().stream().filter(field -> field.role.matters())
        .forEach(field -> texts.put(field.word, field.role.text(node.path(field.name), scope)));
    return texts;
  }

  /** Returns the text of a call of an aggregate or analytic function. */
  static String call(JsonNode call, FieldRole.Scope scope) {
    return (call.has("ignoreNulls") ? OVER_CALL : call.has("mergedBy") ? HOP_CALL : CALL).text(call, scope);
  }

  /** Returns the text of a window with its calls. */
  static String window(JsonNode window, FieldRole.Scope scope) {
    return OVER_WINDOW.text(window, scope);
  }

  private static Field field(String name, String word, FieldRole role) {
    return new Field(name, word, role);
  }

  private static Field[] of(PlanOperator operator) {
    return switch (operator) {
      case SCAN -> fields(field("source", "", ignored("the name of what 'identity' describes")), field("identity", "source", VALUE),
          field("kind", "", ignored("part of 'identity'")), field("mode", "way of reading", VALUE), field("bound", "clock", VALUE),
          field("minRowtime", "", ignored("follows from the conditions above")), field("start", "start", VALUE),
          field("clockShift", "delay", VALUE), field("asOf", "version", VALUE),
          field("stateName", "", ignored("follows from the meaning")));
      case VALUES -> fields(field("rows", "rows", list(list(REX))));
      // Conditions are merged with those above and below.
      case FILTER -> fields(field("condition", "", ignored("part of the meaning of the rows")));
      case PROJECT -> fields(field("exprs", "", ignored("the columns of the result")));
      case AGGREGATE -> fields(field("keys", "GROUP BY", unordered(INDEX)), field("sets", "GROUPING SETS", list(unordered(INDEX))),
          field("session", "SESSION", GAP), field("calls", "aggregate functions", unordered(CALL)), field("closes", "end of a group", REX),
          field("constants", "", ignored("the arguments of the calls have their values")));
      case GROUP_AGGREGATE -> fields(field("keys", "GROUP BY", unordered(INDEX)), field("sets", "GROUPING SETS", list(unordered(INDEX))),
          field("calls", "aggregate functions", unordered(CALL)), field("closes", "end of a group", REX), field("partition", "partitions", unordered(INDEX)),
          field("combines", "partial aggregation", VALUE), field("operator", "", ignored("follows from the calls, by the version of the layout")), field("arrival", "", ARRIVAL));
      case SESSION_AGGREGATE -> fields(field("keys", "GROUP BY", unordered(INDEX)), field("session", "SESSION", GAP),
          field("calls", "aggregate functions", unordered(CALL)), field("closes", "end of a group", REX),
          field("operator", "", ignored("follows from the calls, by the version of the layout")), field("arrival", "", ARRIVAL));
      case HOP_AGGREGATE -> fields(field("keys", "GROUP BY", unordered(INDEX)), field("pane", "time", INDEX), field("slide", "slide of HOP", VALUE),
          field("size", "size of HOP", VALUE), field("offset", "offset of HOP", VALUE), field("late", "end of a pane", VALUE),
          field("calls", "aggregate functions", unordered(HOP_CALL)), field("combines", "partial aggregation", VALUE),
          field("operator", "", ignored("follows from the calls, by the version of the layout")), field("arrival", "", ARRIVAL));
      case UNION -> fields(field("all", "ALL", VALUE), field("closes", "time of release", REX));
      case SORT -> fields(field("keys", "ORDER BY", SORT_KEYS), field("offset", "OFFSET", VALUE), field("fetch", "FETCH", VALUE),
          field("closes", "time of release", REX));
      case JOIN -> fields(field("joinType", "kind of join", VALUE), field("condition", "condition", CONDITION));
      case INTERVAL_JOIN -> fields(field("joinType", "kind of join", VALUE), field("leftKeys", "keys", list(LEFT_REX)),
          field("rightKeys", "keys of the right input", list(RIGHT_REX)), field("leftInterval", "window", VALUE),
          field("rightInterval", "window of the right input", VALUE), field("leftDistinct", "DISTINCT", VALUE),
          field("rightDistinct", "DISTINCT of the right input", VALUE), field("condition", "condition", CONDITION),
          field("leftSource", "", ignored("follows from the input")), field("rightSource", "", ignored("follows from the input")),
          field("leftArrival", "", ARRIVAL), field("rightArrival", "", ARRIVAL));
      case TEMPORAL_JOIN -> fields(field("joinType", "kind of join", VALUE), field("leftKeys", "keys", list(LEFT_REX)),
          field("rightKeys", "keys of the right input", list(RIGHT_REX)), field("leftTime", "time", INDEX),
          field("rightTime", "time of the right input", RIGHT_INDEX), field("shift", "shift of the time", VALUE),
          field("inclusive", "comparison of times", VALUE), field("within", "limit of the time", VALUE),
          field("identity", "primary key", list(RIGHT_INDEX)), field("oneTask", "partitions", VALUE), field("condition", "condition", CONDITION),
          field("leftSource", "", ignored("follows from the input")), field("rightSource", "", ignored("follows from the input")),
          field("leftArrival", "", ARRIVAL), field("rightArrival", "", ARRIVAL));
      case LOOKUP_JOIN -> fields(field("joinType", "kind of join", VALUE), field("stream", "stream", VALUE), field("varies", "variation", VALUE),
          field("condition", "condition", CONDITION));
      case SEARCH_KEY -> fields(field("connector", "connector", VALUE), field("joinType", "kind of join", VALUE),
          field("keys", "keys of the table", list(RIGHT_INDEX)), field("lookup", "keys", list(LEFT_REX)), field("condition", "condition", CONDITION),
          field("options", "", ignored("say how rows are looked up, not which")));
      case HOP -> fields(field("time", "time", REX), field("slide", "slide", VALUE), field("size", "size", VALUE), field("offset", "offset", VALUE));
      case SESSION -> fields(field("time", "time", INDEX), field("keys", "keys", list(INDEX)), field("gap", "gap", VALUE),
          field("closes", "end of a session", REX), field("arrival", "", ARRIVAL));
      case UNNEST -> fields(field("exprs", "UNNEST", list(REX)), field("ordinality", "WITH ORDINALITY", VALUE), field("outer", "outer join", VALUE));
      case PROCESS -> fields(field("function", "", ignored("the name of 'body' in the catalog")), field("language", "language", VALUE),
          field("body", "function", VALUE), field("partition", "PARTITION BY", list(INDEX)), field("time", "time", INDEX),
          field("parameters", "parameters", list(VALUE)), field("args", "arguments", list(REX)), field("delay", "delay", VALUE),
          field("stateTtl", "state_ttl", VALUE), field("arrival", "", ARRIVAL));
      case SAMPLE -> fields(field("fraction", "TABLESAMPLE", VALUE), field("seed", "REPEATABLE", VALUE));
      case RECURSE -> fields(field("all", "ALL", VALUE), field("recursion", "", ignored("a number of this plan; the nesting says which")));
      case RECURSIVE -> fields(field("recursion", "", ignored("a number of this plan; the nesting says which")));
      case LATENESS -> fields(field("columns", "LATENESS", list(object(Map.of("index", INDEX, "lateness", REX)))), field("bound", "clock", FieldRole.NAME),
          field("stateName", "", ignored("follows from the meaning")));
      case SETOP -> fields(field("kind", "operation", VALUE), field("all", "ALL", VALUE));
      case WINDOW -> fields(field("windows", "windows", list(OVER_WINDOW)), field("passes", "order of the windows", list(PASS)));
      case TOP_N -> fields(field("partition", "PARTITION BY", list(INDEX)), field("order", "ORDER BY", SORT_KEYS),
          field("function", "function", VALUE), field("limit", "limit", VALUE), field("closes", "end of a partition", REX),
          field("ranks", "", ignored("computed from the rows when they are emitted")), field("arrival", "", ARRIVAL));
      case UNSUPPORTED -> fields();
    };
  }

  private static Field[] fields(Field... fields) {
    return fields;
  }
}
