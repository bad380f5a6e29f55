package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Names what nodes store in the folder of their query, such as the clocks of LATENESS: by the meaning of the node, so that a
 * change elsewhere in the plan does not rename it. Nodes of equal meaning are told apart by their order.
 */
public final class StateNames {
  private static final int LENGTH = 16;

  private final PlanMeaning meanings;
  private final Map<PlanNode, String> names = new IdentityHashMap<>();
  private final Map<String, Integer> uses = new HashMap<>();
  /** The relations that read a version of a table (SNAPSHOT), by table and version. */
  private final Map<String, SortedSet<String>> readers = new HashMap<>();

  private StateNames(PlanMeaning meanings) {
    this.meanings = meanings;
  }

  /** Returns the names of the nodes that store something. */
  public static Map<PlanNode, String> of(PlanMeaning.Plan plan) {
    StateNames names = new StateNames(plan.meanings());
    names.collect(plan.root(), null);
    names.visit(plan.root());
    return names.names;
  }

  /** @param relation the relation that contains the node; null within a stream */
  private void collect(PlanNode node, PlanNode relation) {
    PlanNode enclosing = relation != null || node.streaming() ? relation : node;
    if (enclosing != null && node.operator() instanceof Operator.Scan scan && scan.asOf() != null) {
      readers.computeIfAbsent(version(scan), key -> new TreeSet<>()).add(meanings.node(enclosing).sortKey());
    }
    node.inputs().forEach(input -> collect(input, enclosing));
  }

  private void visit(PlanNode node) {
    node.inputs().forEach(this::visit);
    if (node.operator() instanceof Operator.Scan scan) {
      // All scans of one version share its rows, which belong to what they are read for.
      names.put(node, scan.asOf() == null ? name(version(scan)) : Digest.hash(version(scan) + readers.get(version(scan)), LENGTH));
    } else if (node.operator() instanceof Operator.Lateness || setsAside(node.operator())) {
      names.put(node, name(meanings.node(node).rows()));
    }
  }

  /** Returns whether a node may set rows aside; where the query fails instead, a user can tell it to step over one. */
  private static boolean setsAside(Operator operator) {
    return operator instanceof Operator.Project project && !project.fallible().isNothing()
        || operator instanceof Operator.Filter filter && !filter.fallible().isNothing();
  }

  private static String version(Operator.Scan scan) {
    String start = scan.start() == null ? "null" : ValueTexts.quoted(scan.start().name());
    return scan.source() + " " + scan.mode() + " " + start + " " + ValueTexts.of(scan.asOf());
  }

  private String name(String meaning) {
    String hash = Digest.hash(meaning, LENGTH);
    int use = uses.merge(hash, 1, Integer::sum);
    return use == 1 ? hash : hash + "x" + use;
  }
}
