package io.rowtime.plan.rel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.util.ImmutableBitSet;

/** Walks a plan, including the queries in its expressions. */
public final class Plans {
  private Plans() {}

  /** Returns the node and all nodes below it, from the top. */
  public static Stream<RelNode> nodes(RelNode rel) {
    return Stream.concat(Stream.of(rel), Stream.concat(rel.getInputs().stream(), subQueries(rel).stream()).flatMap(Plans::nodes));
  }

  /** Returns the queries in the expressions of one node. */
  public static List<RelNode> subQueries(RelNode rel) {
    List<RelNode> found = new ArrayList<>();
    rel.accept(new RexShuttle() {
      @Override public RexNode visitSubQuery(RexSubQuery query) {
        found.add(query.rel);
        return super.visitSubQuery(query);
      }
    });
    return found;
  }

  /** Returns a node with the queries in its expressions replaced. */
  public static RelNode replaceSubQueries(RelNode rel, UnaryOperator<RelNode> replacement) {
    return rel.accept(new RexShuttle() {
      @Override public RexNode visitSubQuery(RexSubQuery query) {
        return query.clone(replacement.apply(query.rel));
      }
    });
  }

  /** Returns whether an expression reads columns of {@code side} only. */
  public static boolean readsOnly(RexNode expr, ImmutableBitSet side) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(expr);
    return !used.isEmpty() && side.contains(used);
  }
}
