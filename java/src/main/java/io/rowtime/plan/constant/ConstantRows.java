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

/** Rows of constant expressions, computed while planning, so that {@code INSERT … VALUES} needs no job. */
public final class ConstantRows {
  private ConstantRows() {}

  /** So many expressions are computed at once: the code that is made of them has to fit into one method. */
  private static final int AT_ONCE = 200;
  /** A statement with more of them is left to run. */
  private static final int MOST = 20_000;

  /**
   * The same rows as VALUES of literals where the query is nothing but constants, of the kind that {@link Folding} lets
   * the planner compute; else the query as it is.
   */
  public static RelNode fold(RelNode query) {
    return fold(query, Folding::allows);
  }

  /** The same, whatever the constants are: the yardstick of the translator. */
  public static RelNode evaluate(RelNode query) {
    return fold(query, expression -> true);
  }

  /** The value of one constant expression; null if the planner may not compute it. */
  public static RexLiteral value(RexBuilder builder, RexNode expression) {
    if (!Folding.allows(expression)) {
      return null;
    }
    return bare(reduced(builder, List.of(List.of(expression))).get(0)) instanceof RexLiteral literal ? literal : null;
  }

  private static RelNode fold(RelNode query, Predicate<RexNode> allowed) {
    List<List<RexNode>> rows = new Rows(allowed).of(query);
    if (rows == null || rows.isEmpty()) {
      return query;
    }
    List<RexNode> reduced = reduced(query.getCluster().getRexBuilder(), rows);
    RelDataType rowType = query.getRowType();
    int width = rowType.getFieldCount();
    ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
    for (int start = 0; start < reduced.size(); start += width) {
      ImmutableList.Builder<RexLiteral> tuple = ImmutableList.builder();
      for (RexNode value : reduced.subList(start, start + width)) {
        if (!(bare(value) instanceof RexLiteral literal)) {
          return query;
        }
        tuple.add(literal);
      }
      tuples.add(tuple.build());
    }
    return new LogicalValues(query.getCluster(), query.getTraitSet(), rowType, tuples.build());
  }

  /** All values, one after the other; what cannot be computed stays what it is. */
  private static List<RexNode> reduced(RexBuilder builder, List<List<RexNode>> rows) {
    List<RexNode> values = new ArrayList<>();
    rows.forEach(values::addAll);
    List<Integer> places = IntStream.range(0, values.size()).filter(i -> !(values.get(i) instanceof RexLiteral)).boxed().toList();
    if (places.size() > MOST) {
      return values;
    }
    for (int start = 0; start < places.size(); start += AT_ONCE) {
      List<Integer> some = places.subList(start, Math.min(start + AT_ONCE, places.size()));
      List<RexNode> expressions = some.stream().map(values::get).toList();
      if (!computed(builder, TimeRange.beyond(builder, expressions)).stream().allMatch(RexNode::isAlwaysFalse)) {
        // Text of a literal has room for four digits of a year; whoever runs the query says what is wrong.
        return values;
      }
      List<RexNode> computed = computed(builder, expressions);
      for (int i = 0; i < some.size(); i++) {
        values.set(some.get(i), computed.get(i));
      }
    }
    return values;
  }

  private static List<RexNode> computed(RexBuilder builder, List<RexNode> expressions) {
    List<RexNode> found = new ArrayList<>();
    new RexExecutorImpl(DataContexts.EMPTY).reduce(builder, expressions, found);
    return found;
  }

  /** A value of a nullable type that is not NULL comes as a literal in a CAST, which says no more than that. */
  private static RexNode bare(RexNode value) {
    return value instanceof RexCall call && call.isA(SqlKind.CAST) && call.getOperands().get(0) instanceof RexLiteral literal
        && SqlTypeUtil.equalSansNullability(call.getType(), literal.getType()) ? literal : value;
  }

  /** The rows of a query as expressions without inputs; of columns below, what an expression says of them stands in it. */
  private record Rows(Predicate<RexNode> allowed) {

    /** Null if the query reads something, or where there is an expression that is not allowed. */
    List<List<RexNode>> of(RelNode rel) {
      if (rel instanceof Values values) {
        List<List<RexNode>> rows = new ArrayList<>();
        values.tuples.forEach(t -> rows.add(new ArrayList<>(t)));
        return rows;
      }
      if (rel instanceof Project project) {
        List<List<RexNode>> below = of(project.getInput());
        return below == null || !project.getProjects().stream().allMatch(RexUtil::isDeterministic) ? null
            : projected(project, below);
      }
      return rel instanceof Union union && union.all ? all(union) : null;
    }

    private List<List<RexNode>> projected(Project project, List<List<RexNode>> below) {
      List<List<RexNode>> rows = new ArrayList<>();
      for (List<RexNode> row : below) {
        List<RexNode> made = new ArrayList<>();
        for (RexNode expression : project.getProjects()) {
          RexNode value = inline(expression, row);
          // Judged at each level: what names a column twice doubles, level by level.
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
