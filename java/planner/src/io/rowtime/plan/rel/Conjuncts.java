package io.rowtime.plan.rel;

import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.Sarg;

/** The parts of a condition that must all be true. */
public final class Conjuncts {
  /**
   * The number of constants from which on a list of them, as of IN, is one node of the plan. Shorter lists are clearer
   * as comparisons, and Spark reads fewer files for them.
   */
  public static final int LONG_LIST = 20;

  private Conjuncts() {}

  /**
   * Returns the parts with a comparison for each bound of a SEARCH. One for a list of single values remains as
   * it is: its comparisons would be alternatives, and may be very many.
   */
  public static List<RexNode> of(RexBuilder rex, RexNode condition) {
    return RelOptUtil.conjunctions(condition).stream().flatMap(part -> isList(part) ? Stream.of(part)
        : RelOptUtil.conjunctions(RexUtil.expandSearch(rex, null, part)).stream()).toList();
  }

  private static boolean isList(RexNode part) {
    return part.isA(SqlKind.SEARCH) && ((RexLiteral) ((RexCall) part).getOperands().get(1)).getValueAs(Sarg.class).pointCount >= LONG_LIST;
  }
}
