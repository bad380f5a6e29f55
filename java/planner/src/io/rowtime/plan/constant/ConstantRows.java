package io.rowtime.plan.constant;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.calcite.DataContexts;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Computes rows of constant expressions during planning, so that {@code INSERT … VALUES} needs no job. */
public final class ConstantRows {
  private ConstantRows() {}

  /** The number of expressions that are computed at once. The code generated for them has to fit into one method. */
  private static final int BATCH_SIZE = 200;
  /** A statement with more rows is not folded, but executed as a query. */
  private static final int MAX_ROWS = 20_000;

  /**
   * Replaces a query that consists of constants only by VALUES of literals, if {@link Folding} lets the planner compute
   * them; returns any other query unchanged.
   */
  public static RelNode fold(RelNode query) {
    return fold(query, Folding::allows);
  }

  /** Does the same for all constants, whatever they cost. Tests compare the translator with the result. */
  public static RelNode evaluate(RelNode query) {
    return fold(query, expression -> true);
  }

  /** Returns the value of one constant expression; null if the planner may not compute it. */
  public static RexLiteral value(RexBuilder builder, RexNode expression) {
    if (!Folding.allows(expression)) {
      return null;
    }
    return withoutCast(reduce(builder, List.of(List.of(expression))).get(0)) instanceof RexLiteral literal ? literal : null;
  }

  private static RelNode fold(RelNode query, Predicate<RexNode> allowed) {
    List<List<RexNode>> rows = new Rows(allowed).of(query);
    if (rows == null || rows.isEmpty()) {
      return query;
    }
    List<RexNode> reduced = reduce(query.getCluster().getRexBuilder(), rows);
    RelDataType rowType = query.getRowType();
    int width = rowType.getFieldCount();
    ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
    for (int start = 0; start < reduced.size(); start += width) {
      ImmutableList.Builder<RexLiteral> tuple = ImmutableList.builder();
      for (RexNode value : reduced.subList(start, start + width)) {
        if (!(withoutCast(value) instanceof RexLiteral literal)) {
          return query;
        }
        tuple.add(literal);
      }
      tuples.add(tuple.build());
    }
    return new LogicalValues(query.getCluster(), query.getTraitSet(), rowType, tuples.build());
  }

  /** Returns all values in one list. Expressions that cannot be computed stay unchanged. */
  private static List<RexNode> reduce(RexBuilder builder, List<List<RexNode>> rows) {
    List<RexNode> values = new ArrayList<>();
    rows.forEach(values::addAll);
    List<Integer> places = IntStream.range(0, values.size()).filter(i -> !(values.get(i) instanceof RexLiteral)).boxed().toList();
    if (places.size() > MAX_ROWS) {
      return values;
    }
    for (int start = 0; start < places.size(); start += BATCH_SIZE) {
      List<Integer> some = places.subList(start, Math.min(start + BATCH_SIZE, places.size()));
      List<RexNode> expressions = some.stream().map(values::get).toList();
      if (!compute(builder, TimeRange.beyond(builder, expressions)).stream().allMatch(RexNode::isAlwaysFalse)) {
        // The text of a literal has room for a year of four digits. The engine that runs the query reports the error.
        return values;
      }
      List<RexNode> computed = compute(builder, expressions);
      for (int i = 0; i < some.size(); i++) {
        values.set(some.get(i), computed.get(i));
      }
    }
    return values;
  }

  private static List<RexNode> compute(RexBuilder builder, List<RexNode> expressions) {
    List<RexNode> found = new ArrayList<>();
    new RexExecutorImpl(DataContexts.EMPTY).reduce(builder, expressions, found);
    return found;
  }

  /** Removes the CAST around a literal that only makes its type nullable. */
  private static RexNode withoutCast(RexNode value) {
    return value instanceof RexCall call && call.isA(SqlKind.CAST) && call.getOperands().get(0) instanceof RexLiteral literal
        && SqlTypeUtil.equalSansNullability(call.getType(), literal.getType()) ? literal : value;
  }

  /**
   * Extracts the rows of a query as expressions without inputs. References to columns below are replaced by the
   * expressions of those columns.
   */
  private record Rows(Predicate<RexNode> allowed) {

    /** Returns null if the query reads a table, or contains an expression that is not allowed. */
    List<List<RexNode>> of(RelNode rel) {
      if (rel instanceof Values values) {
        List<List<RexNode>> rows = new ArrayList<>();
        values.tuples.forEach(t -> rows.add(new ArrayList<>(t)));
        return rows;
      }
      if (rel instanceof Project project) {
        List<List<RexNode>> below = of(project.getInput());
        return below == null || !project.getProjects().stream().allMatch(RexUtil::isDeterministic) ? null
            : project(project, below);
      }
      return rel instanceof Union union && union.all ? all(union) : null;
    }

    private List<List<RexNode>> project(Project project, List<List<RexNode>> below) {
      List<List<RexNode>> rows = new ArrayList<>();
      for (List<RexNode> row : below) {
        List<RexNode> made = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
          RexNode value = inline(expression, row);
          // Checked at each level, because an expression that names a column twice doubles with each level.
          if (!(value instanceof RexLiteral) && !allowed.test(value)) {
            return null;
          }
          made.add(value);
        }
        rows.add(made);
      }
      return rows;
    }

    private List<List<RexNode>> all(Union union) {
      List<List<RexNode>> rows = new ArrayList<>();
      for (RelNode input : union.getInputs()) {
        List<List<RexNode>> below = of(input);
        if (below == null) {
          return null;
        }
        rows.addAll(below);
      }
      return rows;
    }
  }

  private static RexNode inline(RexNode expr, List<RexNode> row) {
    return expr.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return row.get(ref.getIndex());
      }
    });
  }
}
