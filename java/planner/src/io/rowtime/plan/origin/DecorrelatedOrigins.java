package io.rowtime.plan.origin;

import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;

/**
 * Finds the origins of the nodes of a decorrelated plan. Calcite does not report which nodes it made them from, but
 * both read the same sources: a node gets the origin of the node of its kind that reads the same sources, else of the
 * smallest node that does.
 */
public final class DecorrelatedOrigins {
  private final Origins origins;
  private final List<RelNode> before = new ArrayList<>();
  private final Map<RelNode, Set<Object>> sources = new IdentityHashMap<>();

  private DecorrelatedOrigins(Origins origins) {
    this.origins = origins;
  }

  /** Assigns origins to the new nodes of {@code after}, the decorrelated form of {@code before}. */
  public static void find(RelNode before, RelNode after, Origins origins) {
    if (before != after) {
      DecorrelatedOrigins found = new DecorrelatedOrigins(origins);
      found.collect(before, found.before);
      List<RelNode> made = new ArrayList<>();
      found.collect(after, made);
      made.stream().filter(rel -> !origins.contains(rel)).forEach(rel -> origins.put(rel, found.of(rel)));
    }
  }

  /** Collects the nodes of a plan, inputs first, and the sources that each reads. */
  private Set<Object> collect(RelNode rel, List<RelNode> nodes) {
    Set<Object> read = sources.get(rel);
    if (read == null) {
      read = Collections.newSetFromMap(new IdentityHashMap<>());
      if (rel.getInputs().isEmpty()) {
        read.add(rel instanceof TableScan scan ? scan.getTable() : rel instanceof Values values ? values.tuples : rel);
      }
      sources.put(rel, read);
    }
    for (RelNode input : rel.getInputs()) {
      read.addAll(collect(input, nodes));
    }
    nodes.add(rel);
    return read;
  }

  private Origin of(RelNode rel) {
    Set<Object> read = sources.get(rel);
    List<RelNode> sameKindAndSources = before.stream().filter(one -> kind(one) == kind(rel) && sources.get(one).equals(read)).toList();
    int place = below(rel, read);
    if (place < sameKindAndSources.size()) {
      return origins.of(sameKindAndSources.get(place));
    }
    return before.stream().filter(one -> sources.get(one).containsAll(read)).findFirst().map(origins::of).orElse(Origin.NONE).forHelper();
  }

  /** Returns how many nodes of the same kind that read the same sources are below a node. */
  private int below(RelNode rel, Set<Object> read) {
    return (int) rel.getInputs().stream().flatMap(Plans::nodes)
        .filter(one -> kind(one) == kind(rel) && sources.get(one).equals(read)).count();
  }

  /** A node that refers to another row becomes a join with it. */
  private static Class<?> kind(RelNode rel) {
    return rel instanceof Correlate ? Join.class : Origin.kind(rel);
  }
}
