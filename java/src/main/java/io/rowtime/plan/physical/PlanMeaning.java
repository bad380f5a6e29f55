package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The meaning of each node of a written plan, in a normal form in which queries with the same rows are the same, however
 * their columns are named and ordered and their conditions are distributed over sub-queries. What outlives a plan (saved
 * state, clocks) is named by it.
 */
final class PlanMeaning {
  private static final int BASE = 160;

  private final Map<ObjectNode, NodeMeaning> known = new IdentityHashMap<>();
  /** How many recursions enclose each recursion, by its number. */
  private final Map<Integer, Integer> recursions = new HashMap<>();

  private PlanMeaning() {}

  /**
   * Derives the meaning of all nodes. Makes one UNION ALL of several within one another, and brings its inputs, which have
   * no order, into that of their meaning.
   */
  static PlanMeaning of(ObjectNode root) {
    PlanMeaning meaning = new PlanMeaning();
    meaning.visit(root);
    return meaning;
  }

  NodeMeaning node(JsonNode node) {
    return known.get((ObjectNode) node);
  }

  private NodeMeaning visit(ObjectNode node) {
    PlanOperator operator = PlanOperator.of(node);
    if (operator == PlanOperator.RECURSE) {
      recursions.put(node.get("recursion").intValue(), recursions.size());
    }
    if (operator == PlanOperator.UNION) {
      UnionBranches.merge(node);
    }
    List<NodeMeaning> inputs = new ArrayList<>();
    for (JsonNode input : node.get("inputs")) {
      inputs.add(visit((ObjectNode) input));
    }
    if (operator == PlanOperator.UNION) {
      sort((ArrayNode) node.get("inputs"), inputs);
    }
    NodeMeaning meaning = describe(operator, node, inputs);
    known.put(node, meaning);
    return meaning;
  }

  private void sort(ArrayNode nodes, List<NodeMeaning> inputs) {
    if (nodes.get(0).get("streaming").booleanValue()) {
      List<JsonNode> sorted = new ArrayList<>();
      nodes.forEach(sorted::add);
      sorted.sort(Comparator.comparing(input -> node(input).sortKey()));
      nodes.removeAll();
      nodes.addAll(sorted);
    }
    inputs.sort(Comparator.comparing(NodeMeaning::sortKey));
  }

  private NodeMeaning describe(PlanOperator operator, ObjectNode node, List<NodeMeaning> inputs) {
    SortedSet<String> functions = union(inputs, NodeMeaning::functions);
    SortedSet<String> sources = union(inputs, NodeMeaning::sources);
    SortedSet<String> below = union(inputs, NodeMeaning::conditionsBelow);
    List<NormalForm> left = inputs.isEmpty() ? List.of() : inputs.get(0).columns();
    List<NormalForm> right = inputs.size() < 2 ? left : inputs.get(1).columns();
    List<NormalForm> all = operator == PlanOperator.UNION ? merged(node, inputs) : inputs.size() == 2 ? joined(left, right) : left;
    List<String> names = new ArrayList<>();
    node.get("fields").forEach(field -> names.add(field.get("name").textValue()));
    FieldRole.Scope scope = new FieldRole.Scope(left, right, all, names, functions);
    Map<String, String> parts = NodeFields.describe(node, scope);
    SortedSet<String> conditions = new TreeSet<>();
    String base;
    if (passesRows(operator)) {
      base = inputs.get(0).base();
      conditions.addAll(inputs.get(0).conditions());
    } else {
      base = base(operator, node, parts, inputs);
    }
    if (operator == PlanOperator.SCAN) {
      sources.add(parts.get("source"));
    } else if (operator == PlanOperator.FILTER) {
      List<String> own = new NormalExpressions(left, functions).conjuncts(node.get("condition")).map(NormalForm::text).toList();
      conditions.addAll(own);
      below.addAll(own);
    }
    List<NormalForm> columns = columns(operator, node, base, scope, inputs);
    if (columns.size() != names.size()) {
      throw new IllegalStateException("The operator " + operator.op() + " has " + names.size() + " columns, but " + columns.size() + " meanings");
    }
    int rowtime = names.indexOf(node.path("rowtime").asText(null));
    return new NodeMeaning(base, conditions, columns, rowtime < 0 ? null : columns.get(rowtime), parts, sources, below, functions);
  }

  /** Returns whether the rows of an operator are those of its input, or some of them by a condition. */
  private static boolean passesRows(PlanOperator operator) {
    return operator == PlanOperator.FILTER || operator == PlanOperator.PROJECT;
  }

  private String base(PlanOperator operator, ObjectNode node, Map<String, String> parts, List<NodeMeaning> inputs) {
    String name = operator == PlanOperator.RECURSIVE ? "recursive " + recursions.get(node.get("recursion").intValue()) : operator.op();
    String own = parts.entrySet().stream().map(part -> part.getKey() + " " + part.getValue()).collect(Collectors.joining("; ", "(", ")"));
    List<String> below = inputs.stream().map(NodeMeaning::rows).toList();
    // The columns of a UNION, and the names that a function reads, are in no expression of the node.
    String columns = switch (operator) {
      case UNION, SETOP, RECURSE -> " of " + new TreeSet<>(merged(node, inputs).stream().map(NormalForm::text).toList());
      case PROCESS -> " of " + named(node, inputs.get(0));
      case UNSUPPORTED -> " " + node.get("id");
      default -> "";
    };
    return Digest.shorten(operator == PlanOperator.SCAN ? scanned(parts) : name + own + columns + below, BASE);
  }

  /** Returns the source, and how it is read where that is not as a stream from where the query begins. */
  private static String scanned(Map<String, String> parts) {
    return parts.entrySet().stream().filter(part -> !part.getValue().equals("null") && !part.getValue().equals("stream"))
        .map(part -> part.getKey().equals("source") ? part.getValue() : part.getKey() + " " + part.getValue()).collect(Collectors.joining("; "));
  }

  /** Returns the columns that a process function reads, with the names by which it reads them. */
  static String named(ObjectNode node, NodeMeaning input) {
    JsonNode fields = node.get("inputs").get(0).get("fields");
    return IntStream.range(0, fields.size()).mapToObj(i -> fields.get(i).get("name").textValue() + " " + input.columns().get(i).typed())
        .collect(Collectors.joining(", "));
  }

  /** Returns what each column of a node is. */
  private static List<NormalForm> columns(PlanOperator operator, ObjectNode node, String base, FieldRole.Scope scope, List<NodeMeaning> inputs) {
    return switch (operator) {
      case SCAN -> IntStream.range(0, scope.names().size())
          .mapToObj(i -> NormalForm.atom(node.get("source").textValue() + "." + scope.names().get(i), type(node, i))).toList();
      case PROJECT -> {
        NormalExpressions expressions = new NormalExpressions(scope.left(), scope.functions());
        List<NormalForm> columns = new ArrayList<>();
        node.get("exprs").forEach(rex -> columns.add(expressions.of(rex)));
        yield columns;
      }
      case FILTER, LATENESS, SORT, SAMPLE -> scope.left();
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE -> grouped(node, scope);
      case UNION -> scope.all();
      case SETOP, RECURSE -> merged(node, inputs);
      case JOIN, INTERVAL_JOIN, LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN -> {
        int width = scope.names().size();
        yield width <= scope.all().size() ? scope.all().subList(0, width) : with(node, scope.all(), "joined", base);
      }
      case HOP, SESSION, UNNEST -> with(node, scope.left(), operator.op(), base);
      case WINDOW -> {
        List<NormalForm> columns = new ArrayList<>(scope.left());
        for (JsonNode window : node.get("windows")) {
          String over = Digest.hash(base + NodeFields.window(window, scope), 12);
          window.get("calls").forEach(call -> columns.add(NormalForm.atom(NodeFields.call(call, scope) + " OVER " + over, call.get("type").asText())));
        }
        yield columns;
      }
      case TOP_N -> {
        List<NormalForm> columns = new ArrayList<>(scope.left());
        node.get("ranks").forEach(rank -> columns.add(NormalForm.atom(rank.asText() + " OVER " + Digest.hash(base, 12), "BIGINT")));
        yield columns;
      }
      case PROCESS, VALUES, RECURSIVE, UNSUPPORTED -> with(node, List.of(), operator.op(), base);
    };
  }

  private static List<NormalForm> grouped(ObjectNode node, FieldRole.Scope scope) {
    List<NormalForm> columns = new ArrayList<>();
    node.get("keys").forEach(key -> columns.add(key.isInt() ? scope.left().get(key.intValue())
        : NormalForm.atom("window " + key.asText(), type(node, columns.size()))));
    node.get("calls").forEach(call -> columns.add(NormalForm.atom(NodeFields.call(call, scope), call.get("type").asText())));
    return columns;
  }

  /** Returns the columns of an input, and after them those that the node adds, which only their node and place identify. */
  private static List<NormalForm> with(ObjectNode node, List<NormalForm> input, String what, String base) {
    String hash = Digest.hash(base, 12);
    return Stream.concat(input.stream(), IntStream.range(input.size(), node.get("fields").size())
        .mapToObj(i -> NormalForm.atom(what + " " + hash + "." + (i - input.size()), type(node, i)))).toList();
  }

  private static List<NormalForm> joined(List<NormalForm> left, List<NormalForm> right) {
    return Stream.concat(left.stream().map(column -> column.of("left")), right.stream().map(column -> column.of("right"))).toList();
  }

  /** Returns the columns of a set operation: what they are in each of its inputs. */
  private static List<NormalForm> merged(ObjectNode node, List<NodeMeaning> inputs) {
    return IntStream.range(0, node.get("fields").size()).mapToObj(i -> NormalForm.atom(
        inputs.stream().map(input -> input.columns().get(i).text()).collect(Collectors.joining(" | ", "{", "}")), type(node, i))).toList();
  }

  private static String type(ObjectNode node, int column) {
    return node.get("fields").get(column).get("type").textValue();
  }

  private static SortedSet<String> union(List<NodeMeaning> inputs, Function<NodeMeaning, SortedSet<String>> part) {
    return inputs.stream().flatMap(input -> part.apply(input).stream()).collect(Collectors.toCollection(TreeSet::new));
  }
}
