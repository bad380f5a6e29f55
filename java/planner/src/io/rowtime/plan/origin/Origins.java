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
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Keeps the origins of a plan's nodes while the plan is rewritten: a new node has the origin of the node that it
 * replaces.
 */
public final class Origins {
  private final Map<RelNode, Origin> nodes = new IdentityHashMap<>();
  private final List<SqlParserPos> queries = new ArrayList<>();

  public boolean contains(RelNode rel) {
    return nodes.containsKey(rel);
  }

  public Origin of(RelNode rel) {
    return nodes.getOrDefault(rel, Origin.NONE);
  }

  /**
   * Returns the position to which a diagnostic of a node points; {@code statement} is the position of the whole
   * statement.
   */
  public SqlParserPos place(RelNode rel, SqlParserPos statement) {
    return Objects.requireNonNullElse(of(rel).place(), statement);
  }

  /** Returns the position to which a diagnostic of a projection's ROWTIME points. */
  public SqlParserPos rowtime(RelNode rel, SqlParserPos statement) {
    return Objects.requireNonNullElse(of(rel).rowtime(), statement);
  }

  /** Returns the position to which a diagnostic of the time by which a join chooses versions points. */
  public SqlParserPos matchedTime(RelNode rel) {
    return Objects.requireNonNullElseGet(of(rel).matched(), () -> place(rel, SqlParserPos.ZERO));
  }

  /** Adds a query of the statement, or one in it. */
  public void addQuery(SqlNode query) {
    if (query.getParserPosition().getLineNum() > 0) {
      queries.add(query.getParserPosition());
    }
  }

  /** Returns the position of the query in a clause (null: the statement) that contains a place; the clause if there is none. */
  public SqlParserPos queryAt(SqlParserPos place, SqlParserPos clause) {
    return clause == null ? place : queries.stream().filter(query -> contains(query, place) && contains(clause, query) && !contains(query, clause))
        .reduce((one, other) -> contains(one, other) ? one : other).orElse(clause);
  }

  private static boolean contains(SqlParserPos outer, SqlParserPos inner) {
    return isBefore(outer.getLineNum(), outer.getColumnNum(), inner.getLineNum(), inner.getColumnNum())
        && isBefore(inner.getEndLineNum(), inner.getEndColumnNum(), outer.getEndLineNum(), outer.getEndColumnNum());
  }

  private static boolean isBefore(int line, int column, int otherLine, int otherColumn) {
    return line < otherLine || line == otherLine && column <= otherColumn;
  }

  /**
   * Returns the parts of the text that a node implements; for a node that the planner added, the parts of its input.
   */
  public List<SqlParserPos> parts(RelNode rel) {
    List<SqlParserPos> parts = of(rel).parts();
    return parts.isEmpty() && rel.getInputs().size() == 1 ? parts(rel.getInput(0)) : parts;
  }

  public void put(RelNode rel, Origin origin) {
    nodes.put(rel, origin.forReplacement(rel));
  }

  /** Assigns an origin to the nodes at the top of a tree that have none yet. */
  public void fill(RelNode made, Origin origin) {
    if (contains(made) || made instanceof HepRelVertex) {
      return;
    }
    put(made, origin);
    made.getInputs().forEach(input -> fill(input, origin));
    Plans.subQueries(made).forEach(query -> fill(query, origin));
  }

  /** Rewrites a tree node by node, inputs first. */
  public RelNode rewrite(RelNode rel, UnaryOperator<RelNode> step) {
    return rewrite(rel, (original, node) -> step.apply(node));
  }

  /** Rewrites a tree with a step that also receives the original node. */
  public RelNode rewrite(RelNode rel, BinaryOperator<RelNode> step) {
    List<RelNode> inputs = new ArrayList<>();
    rel.getInputs().forEach(input -> inputs.add(rewrite(input, step)));
    return recordReplacement(rel, step.apply(rel, withInputs(rel, inputs)));
  }

  /** Returns the same node over other inputs. */
  public RelNode withInputs(RelNode rel, List<RelNode> inputs) {
    boolean same = true;
    for (int i = 0; i < inputs.size(); i++) {
      same &= inputs.get(i) == rel.getInput(i);
    }
    return same ? rel : recordReplacement(rel, rel.copy(rel.getTraitSet(), inputs));
  }

  /** Records that a tree is a copy of another, and returns the copy. */
  public RelNode recordCopy(RelNode rel, RelNode copy) {
    for (int i = 0; rel != copy && i < rel.getInputs().size(); i++) {
      recordCopy(rel.getInput(i), copy.getInput(i));
    }
    return recordReplacement(rel, copy);
  }

  /** Records that {@code made} replaces {@code rel}, and returns {@code made}. */
  public RelNode recordReplacement(RelNode rel, RelNode made) {
    fill(made, of(rel));
    return made;
  }

  /** Applies planner rules of Calcite until none of them matches. */
  public RelNode apply(RelNode rel, RelOptRule... rules) {
    HepProgramBuilder program = new HepProgramBuilder();
    for (RelOptRule rule : rules) {
      program.addRuleInstance(rule);
    }
    HepPlanner planner = new Rules(program.build());
    planner.setRoot(rel);
    return recordReplacement(rel, planner.findBestExp());
  }

  /** Calcite's rule planner, without merging equal nodes: they come from different places of the text. */
  private final class Rules extends HepPlanner {
    Rules(HepProgram program) {
      super(program, Contexts.EMPTY_CONTEXT, true, null, RelOptCostImpl.FACTORY);
    }

    @Override public void onCopy(RelNode rel, RelNode copy) {
      nodes.putIfAbsent(copy, Origins.this.of(rel));
    }

    /** A rule may have made new nodes below a node that it copied. */
    private void recordProduced(RelNode made, Origin origin) {
      if (!(made instanceof HepRelVertex)) {
        nodes.putIfAbsent(made, origin.forReplacement(made));
        made.getInputs().forEach(input -> recordProduced(input, origin));
        Plans.subQueries(made).forEach(query -> fill(query, origin));
      }
    }

    @Override protected void notifyTransformation(RelOptRuleCall call, RelNode made, boolean before) {
      if (before) {
        recordProduced(made, Origins.this.of(call.rel(0)));
      }
      super.notifyTransformation(call, made, before);
    }
  }
}
