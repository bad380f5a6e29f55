package io.rowtime.plan.origin;

import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.plan.hep.HepRelVertex;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Where the nodes of a plan come from, kept while the plan is rewritten: a new node comes from what it replaces. */
public final class Origins {
  private final Map<RelNode, Origin> nodes = new IdentityHashMap<>();

  public boolean contains(RelNode rel) {
    return nodes.containsKey(rel);
  }

  public Origin of(RelNode rel) {
    return nodes.getOrDefault(rel, Origin.NONE);
  }

  /** Where a diagnostic of a node points; {@code statement} is that of the whole statement. */
  public SqlParserPos place(RelNode rel, SqlParserPos statement) {
    return Objects.requireNonNullElse(of(rel).place(), statement);
  }

  /** Where a diagnostic of the ROWTIME that a projection gives points. */
  public SqlParserPos rowtime(RelNode rel, SqlParserPos statement) {
    return Objects.requireNonNullElse(of(rel).rowtime(), statement);
  }

  /** Where a diagnostic of the time points by which a join chooses versions. */
  public SqlParserPos matched(RelNode rel) {
    return Objects.requireNonNullElseGet(of(rel).matched(), () -> place(rel, SqlParserPos.ZERO));
  }

  /** The parts of the text that a node carries out; of one that nobody wrote, those of its input. */
  public List<SqlParserPos> parts(RelNode rel) {
    List<SqlParserPos> parts = of(rel).parts();
    return parts.isEmpty() && rel.getInputs().size() == 1 ? parts(rel.getInput(0)) : parts;
  }

  public void put(RelNode rel, Origin origin) {
    nodes.put(rel, origin.given(rel));
  }

  /** Gives an origin to the new nodes of a tree: those above the ones that have one. */
  public void fill(RelNode made, Origin origin) {
    if (contains(made) || made instanceof HepRelVertex) {
      return;
    }
    put(made, origin);
    made.getInputs().forEach(input -> fill(input, origin));
    Plans.subQueries(made).forEach(query -> fill(query, origin));
  }

  /** A rewrite of single nodes, the inputs first. */
  public RelNode rewrite(RelNode rel, UnaryOperator<RelNode> step) {
    return rewrite(rel, (original, node) -> step.apply(node));
  }

  /** The same by a step that sees the original node as well. */
  public RelNode rewrite(RelNode rel, BinaryOperator<RelNode> step) {
    List<RelNode> inputs = new ArrayList<>();
    rel.getInputs().forEach(input -> inputs.add(rewrite(input, step)));
    return replaced(rel, step.apply(rel, withInputs(rel, inputs)));
  }

  /** The same node over other inputs. */
  public RelNode withInputs(RelNode rel, List<RelNode> inputs) {
    boolean same = true;
    for (int i = 0; i < inputs.size(); i++) {
      same &= inputs.get(i) == rel.getInput(i);
    }
    return same ? rel : replaced(rel, rel.copy(rel.getTraitSet(), inputs));
  }

  /** Notes that a tree is a copy of another, and returns it. */
  public RelNode copied(RelNode rel, RelNode copy) {
    for (int i = 0; rel != copy && i < rel.getInputs().size(); i++) {
      copied(rel.getInput(i), copy.getInput(i));
    }
    return replaced(rel, copy);
  }

  /** Notes that {@code made} takes the place of {@code rel}, and returns it. */
  public RelNode replaced(RelNode rel, RelNode made) {
    fill(made, of(rel));
    return made;
  }

  /** Applies rules of Calcite's until none has anything left to do. */
  public RelNode apply(RelNode rel, RelOptRule... rules) {
    HepProgramBuilder program = new HepProgramBuilder();
    for (RelOptRule rule : rules) {
      program.addRuleInstance(rule);
    }
    HepPlanner planner = new Rules(program.build());
    planner.setRoot(rel);
    return replaced(rel, planner.findBestExp());
  }

  /** Calcite's planner for rules, not with a graph in which nodes that are alike are one: they were written in several places. */
  private final class Rules extends HepPlanner {
    Rules(HepProgram program) {
      super(program, Contexts.EMPTY_CONTEXT, true, null, RelOptCostImpl.FACTORY);
    }

    @Override public void onCopy(RelNode rel, RelNode copy) {
      nodes.putIfAbsent(copy, Origins.this.of(rel));
    }

    /** Rules may have made new nodes below one that they have copied. */
    private void produced(RelNode made, Origin origin) {
      if (!(made instanceof HepRelVertex)) {
        nodes.putIfAbsent(made, origin.given(made));
        made.getInputs().forEach(input -> produced(input, origin));
        Plans.subQueries(made).forEach(query -> fill(query, origin));
      }
    }

    @Override protected void notifyTransformation(RelOptRuleCall call, RelNode made, boolean before) {
      if (before) {
        produced(made, Origins.this.of(call.rel(0)));
      }
      super.notifyTransformation(call, made, before);
    }
  }
}
