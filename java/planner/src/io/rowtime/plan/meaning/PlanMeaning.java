package io.rowtime.plan.meaning;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.PlanOperator;
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
 * The meaning of each node of a plan, in a normal form in which queries with the same rows are the same, however their columns
 * are named and ordered and their conditions are distributed over sub-queries. What outlives a plan (saved state, clocks) is
 * named by it.
 */
public final class PlanMeaning {
  private static final int BASE = 160;
  private static final int HASH_LENGTH = 20;

  private final Map<PlanNode, NodeMeaning> known = new IdentityHashMap<>();
  /** How many recursions enclose each recursion, by its number. */
  private final Map<Integer, Integer> recursions = new HashMap<>();

  private PlanMeaning() {}

  /** A plan in the form that follows from what it means, with the meaning of its nodes. */
  public record Plan(PlanNode root, PlanMeaning meanings) {}

  /** A node, and its meaning. */
  private record Visited(PlanNode node, NodeMeaning meaning) {}

  /**
   * Derives the meaning of all nodes. Makes one UNION ALL of several within one another, and brings its inputs, which have
   * no order, into that of their meaning.
   */
  public static Plan of(PlanNode root) {
    PlanMeaning meanings = new PlanMeaning();
    return new Plan(meanings.visit(root).node, meanings);
  }

  /** Returns a text that is the same for two results if they have the same rows, with the same columns in the same order. */
  public String result(PlanNode root) {
    NodeMeaning rows = node(root);
    String columns = rows.columns().stream().map(NormalForm::typed).collect(Collectors.joining(", "));
    return StateSignatures.FORM + " " + Digest.hash(rows.rows() + " " + columns, HASH_LENGTH);
  }

  /**
   * Returns a text that is the same for two queries if they return changes of the same result; null for a query that returns none.
   * A change takes back a row as the query has returned it before, so what is above the last operator with state belongs to it.
   */
  public String changes(PlanNode root) {
    if (!hasChangelog(root)) {
      return null;
    }
    NodeMeaning rows = node(root);
    // The target may convert them to wider types.
    String columns = rows.columns().stream().map(column -> column.withoutCasts().text()).collect(Collectors.joining(", "));
    return "changes " + StateSignatures.FORM + " " + Digest.hash(rows.rows() + " " + columns, HASH_LENGTH);
  }

  private static boolean hasChangelog(PlanNode node) {
    return isChangelog(node) || node.inputs().stream().anyMatch(PlanMeaning::hasChangelog);
  }

  NodeMeaning node(PlanNode node) {
    return known.get(node);
  }

  private Visited visit(PlanNode written) {
    if (written.operator() instanceof Operator.Recurse recursion) {
      recursions.put(recursion.recursion(), recursions.size());
    }
    boolean union = written.kind() == PlanOperator.UNION;
    PlanNode merged = union ? UnionBranches.merge(written) : written;
    List<Visited> inputs = new ArrayList<>(merged.inputs().stream().map(this::visit).toList());
    List<NodeMeaning> below = new ArrayList<>(inputs.stream().map(Visited::meaning).toList());
    if (union) {
      if (inputs.get(0).node.streaming()) {
        inputs.sort(Comparator.comparing(input -> input.meaning.sortKey()));
      }
      below.sort(Comparator.comparing(NodeMeaning::sortKey));
    }
    PlanNode node = merged.withInputs(inputs.stream().map(Visited::node).toList());
    NodeMeaning meaning = describe(node, below);
    known.put(node, meaning);
    return new Visited(node, meaning);
  }

  private NodeMeaning describe(PlanNode node, List<NodeMeaning> inputs) {
    PlanOperator kind = node.kind();
    SortedSet<String> functions = union(inputs, NodeMeaning::functions);
    SortedSet<String> sources = union(inputs, NodeMeaning::sources);
    SortedSet<String> below = union(inputs, NodeMeaning::conditionsBelow);
    List<NormalForm> left = inputs.isEmpty() ? List.of() : inputs.get(0).columns();
    List<NormalForm> right = inputs.size() < 2 ? left : inputs.get(1).columns();
    List<NormalForm> all = kind == PlanOperator.UNION ? merged(node, inputs) : inputs.size() == 2 ? joined(left, right) : left;
    List<String> names = node.columns().stream().map(Column::name).toList();
    MeaningTexts texts = new MeaningTexts(left, right, all, names, functions);
    Map<String, String> parts = texts.of(node.operator());
    SortedSet<String> conditions = new TreeSet<>();
    String base;
    if (passesRows(kind)) {
      base = inputs.get(0).base();
      conditions.addAll(inputs.get(0).conditions());
    } else {
      base = base(node, parts, inputs);
    }
    if (kind == PlanOperator.SCAN) {
      sources.add(parts.get("source"));
    } else if (node.operator() instanceof Operator.Filter filter) {
      List<String> own = new NormalExpressions(left, functions).conjuncts(filter.condition()).map(NormalForm::text).toList();
      conditions.addAll(own);
      below.addAll(own);
    }
    List<NormalForm> columns = columns(node, base, texts, inputs);
    if (columns.size() != names.size()) {
      throw new IllegalStateException("The operator " + kind.op() + " has " + names.size() + " columns, but " + columns.size() + " meanings");
    }
    int rowtime = node.rowtimeIndex();
    return new NodeMeaning(base, conditions, columns, rowtime < 0 ? null : columns.get(rowtime), parts, sources, below, functions);
  }

  /** Returns whether the rows of an operator are those of its input, or some of them by a condition. */
  private static boolean passesRows(PlanOperator operator) {
    return operator == PlanOperator.FILTER || operator == PlanOperator.PROJECT;
  }

  private String base(PlanNode node, Map<String, String> parts, List<NodeMeaning> inputs) {
    PlanOperator kind = node.kind();
    String name = node.operator() instanceof Operator.Recursive recursive ? "recursive " + recursions.get(recursive.recursion()) : kind.op();
    String own = parts.entrySet().stream().map(part -> part.getKey() + " " + part.getValue()).collect(Collectors.joining("; ", "(", ")"));
    List<String> below = inputs.stream().map(NodeMeaning::rows).toList();
    // The columns of a UNION and of a changelog, and the names that a function reads, are in no expression of the node.
    String columns = switch (kind) {
      case UNION, SETOP, RECURSE -> " of " + new TreeSet<>(merged(node, inputs).stream().map(NormalForm::text).toList());
      case PROCESS -> " of " + named(node, inputs.get(0));
      case FROM_CHANGELOG -> " of " + inputs.get(0).columns().stream().map(NormalForm::text).toList();
      case UNSUPPORTED -> " " + ((Operator.Unsupported) node.operator()).number();
      default -> "";
    };
    return Digest.shorten(kind == PlanOperator.SCAN ? scanned(parts) : name + own + columns + below, BASE);
  }

  /** Returns the source, and how it is read where that is not as a stream from where the query begins. */
  private static String scanned(Map<String, String> parts) {
    return parts.entrySet().stream().filter(part -> !part.getValue().equals("null") && !part.getValue().equals("stream"))
        .map(part -> part.getKey().equals("source") ? part.getValue() : part.getKey() + " " + part.getValue()).collect(Collectors.joining("; "));
  }

  /** Returns the columns that a process function reads, with the names by which it reads them. */
  static String named(PlanNode node, NodeMeaning input) {
    List<Column> columns = node.input(0).columns();
    return IntStream.range(0, columns.size()).mapToObj(i -> columns.get(i).name() + " " + input.columns().get(i).typed())
        .collect(Collectors.joining(", "));
  }

  /** Returns what each column of a node is. */
  private static List<NormalForm> columns(PlanNode node, String base, MeaningTexts texts, List<NodeMeaning> inputs) {
    return switch (node.kind().result()) {
      case SOURCE -> node.columns().stream()
          .map(column -> NormalForm.atom(((Operator.Scan) node.operator()).source() + "." + column.name(), column.type())).toList();
      case EXPRESSIONS -> {
        NormalExpressions expressions = new NormalExpressions(texts.left(), texts.functions());
        yield ((Operator.Project) node.operator()).exprs().stream().map(expressions::of).toList();
      }
      case INPUT -> texts.left();
      case GROUPS -> grouped(node, (Operator.Grouping) node.operator(), texts);
      case UNION -> texts.all();
      case SET -> merged(node, inputs);
      case JOINED -> {
        int width = node.columns().size();
        yield width <= texts.all().size() ? texts.all().subList(0, width) : with(node, texts.all(), "joined", base);
      }
      case EXTENDED -> with(node, texts.left(), node.kind().op(), base);
      case WINDOWS -> over(((Operator.Windows) node.operator()).windows(), base, texts);
      case RANKED -> ranked(texts.left(), ((Operator.FirstRows) node.operator()).ranks(), base);
      case OWN -> {
        List<NormalForm> own = with(node, List.of(), node.kind().op(), base);
        yield isChangelog(node) ? List.of(own.get(0), changedRow(node, inputs.get(0))) : own;
      }
    };
  }

  /** Returns whether a node is the TO_CHANGELOG of a query, of a result whose rows can be retracted. */
  private static boolean isChangelog(PlanNode node) {
    return node.operator() instanceof Operator.ToChangelog changelog && changelog.target() == null && ChangeModes.retracts(node.input(0));
  }

  private static NormalForm changedRow(PlanNode changelog, NodeMeaning result) {
    return NormalForm.changedRow(changelog.input(0).columns().stream().map(Column::name).toList(), result.columns(), changelog.columns().get(1).type());
  }

  private static List<NormalForm> over(List<OverWindow> windows, String base, MeaningTexts texts) {
    List<NormalForm> columns = new ArrayList<>(texts.left());
    for (OverWindow window : windows) {
      String over = Digest.hash(base + texts.window(window), 12);
      window.calls().forEach(call -> columns.add(NormalForm.atom(texts.call(call) + " OVER " + over, call.type())));
    }
    return columns;
  }

  private static List<NormalForm> ranked(List<NormalForm> rows, List<RankFunction> ranks, String base) {
    return Stream.concat(rows.stream(), ranks.stream().map(rank -> NormalForm.atom(rank + " OVER " + Digest.hash(base, 12), "BIGINT"))).toList();
  }

  private static List<NormalForm> grouped(PlanNode node, Operator.Grouping grouping, MeaningTexts texts) {
    List<NormalForm> columns = new ArrayList<>();
    if (grouping instanceof Operator.HopAggregate hop) {
      for (Operator.HopKey key : hop.keys()) {
        columns.add(key.isColumn() ? texts.left().get(key.column()) : NormalForm.atom("window " + key, node.columns().get(columns.size()).type()));
      }
    } else {
      ((Operator.Grouped) grouping).keys().forEach(key -> columns.add(texts.left().get(key)));
    }
    for (GroupCall call : grouping.calls()) {
      columns.add(NormalForm.atom(texts.call(call), call.type()));
    }
    return columns;
  }

  /** Returns the columns of an input, and after them those that the node adds, which only their node and place identify. */
  private static List<NormalForm> with(PlanNode node, List<NormalForm> input, String what, String base) {
    String hash = Digest.hash(base, 12);
    return Stream.concat(input.stream(), IntStream.range(input.size(), node.columns().size())
        .mapToObj(i -> NormalForm.atom(what + " " + hash + "." + (i - input.size()), node.columns().get(i).type()))).toList();
  }

  private static List<NormalForm> joined(List<NormalForm> left, List<NormalForm> right) {
    return Stream.concat(left.stream().map(column -> column.of("left")), right.stream().map(column -> column.of("right"))).toList();
  }

  /** Returns the columns of a set operation: what they are in each of its inputs. */
  private static List<NormalForm> merged(PlanNode node, List<NodeMeaning> inputs) {
    return IntStream.range(0, node.columns().size()).mapToObj(i -> NormalForm.atom(
        inputs.stream().map(input -> input.columns().get(i).text()).collect(Collectors.joining(" | ", "{", "}")),
        node.columns().get(i).type())).toList();
  }

  private static SortedSet<String> union(List<NodeMeaning> inputs, Function<NodeMeaning, SortedSet<String>> part) {
    return inputs.stream().flatMap(input -> part.apply(input).stream()).collect(Collectors.toCollection(TreeSet::new));
  }
}
