package io.rowtime.plan.rewrite;

import com.google.common.collect.ImmutableList;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Replaces {@code (a, b) IN (SELECT x, y …)} where it matters whether it is FALSE or NULL. It is NULL if no row is equal,
 * and one may be: each of its columns is equal, or NULL on either side. Calcite takes every row with a NULL for one that
 * may be equal, also if another column differs.
 *
 * <p>Which columns are equal, and which are NULL on which side, differs from row to row. So there is one question for each
 * possibility, such as {@code a IS NULL AND b IN (SELECT y …)}, and each of them is only TRUE or not.
 */
final class RowMembership {
  /** Three columns that may be NULL on both sides. Each possibility is a join. */
  private static final int MOST = 27;

  private final RexBuilder rex;
  private final Origins origins;
  private final RelNode node;

  private RowMembership(RelNode node, Origins origins) {
    this.rex = node.getCluster().getRexBuilder();
    this.origins = origins;
    this.node = node;
  }

  /** @throws DiagnosticException RT0900 if there are too many possibilities */
  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).allMatch(node -> Plans.subQueries(node).isEmpty())) {
      return plan;
    }
    return origins.rewrite(plan, (original, node) -> {
      RelNode within = Plans.replaceSubQueries(node, query -> replace(query, origins));
      RowMembership membership = new RowMembership(original, origins);
      return within.accept(membership.new Expressions(original instanceof Filter || original instanceof Join));
    });
  }

  /** Replaces sub-queries of an expression. */
  private final class Expressions extends RexShuttle {
    /** Whether NULL counts as FALSE. */
    private final boolean unknownIsFalse;

    Expressions(boolean unknownIsFalse) {
      this.unknownIsFalse = unknownIsFalse;
    }

    @Override public RexNode visitCall(RexCall call) {
      List<RexNode> operands = new ArrayList<>();
      for (int i = 0; i < call.getOperands().size(); i++) {
        operands.add(call.getOperands().get(i).accept(new Expressions(ofOperand(call, i))));
      }
      return operands.equals(call.getOperands()) ? call : call.clone(call.getType(), operands);
    }

    private boolean ofOperand(RexCall call, int operand) {
      return switch (call.getKind()) {
        case AND, OR -> unknownIsFalse;
        case IS_TRUE, IS_NOT_TRUE -> true;
        case CASE -> operand % 2 == 0 && operand < call.getOperands().size() - 1;
        default -> false;
      };
    }

    @Override public RexNode visitSubQuery(RexSubQuery query) {
      RexSubQuery found = (RexSubQuery) super.visitSubQuery(query);
      return unknownIsFalse || found.getKind() != SqlKind.IN || found.getOperands().size() < 2 || !found.getType().isNullable() ? found
          : value(found);
    }
  }

  private RexNode value(RexSubQuery query) {
    RexNode equal = rex.makeCall(SqlStdOperatorTable.IS_TRUE, query);
    List<RexNode> maybe = new ArrayList<>();
    collect(query, new ArrayList<>(), maybe);
    RexNode none = rex.makeNullLiteral(query.getType());
    return rex.makeCall(query.getType(), SqlStdOperatorTable.CASE, List.of(equal, rex.makeLiteral(true),
        RexUtil.composeDisjunction(rex, maybe), none, rex.makeLiteral(false)));
  }

  /** How the values of one column are compared. */
  private enum Column { EQUAL, LEFT_NULL, RIGHT_NULL }

  /** Adds a question for each possibility that begins as chosen, except that all columns are equal. */
  private void collect(RexSubQuery query, List<Column> chosen, List<RexNode> questions) {
    int next = chosen.size();
    if (next < query.getOperands().size()) {
      for (Column column : Column.values()) {
        if (column == Column.EQUAL || column == Column.LEFT_NULL && query.getOperands().get(next).getType().isNullable()
            || column == Column.RIGHT_NULL && query.rel.getRowType().getFieldList().get(next).getType().isNullable()) {
          List<Column> longer = new ArrayList<>(chosen);
          longer.add(column);
          collect(query, longer, questions);
        }
      }
    } else if (chosen.stream().anyMatch(column -> column != Column.EQUAL)) {
      questions.add(question(query, chosen));
      if (questions.size() >= MOST) {
        throw new DiagnosticException("RT0900", origins.place(node, SqlParserPos.ZERO),
            "IN with a row of so many columns that may be NULL cannot tell FALSE from NULL",
            "write (… IN …) IS TRUE if FALSE and NULL are the same to you, or declare columns NOT NULL");
      }
    }
  }

  private RexNode question(RexSubQuery query, List<Column> columns) {
    List<RexNode> conditions = new ArrayList<>();
    List<RexNode> operands = new ArrayList<>();
    List<RexNode> values = new ArrayList<>();
    List<RexNode> empty = new ArrayList<>();
    List<RelDataTypeField> fields = query.rel.getRowType().getFieldList();
    for (int i = 0; i < columns.size(); i++) {
      RexNode left = query.getOperands().get(i);
      RexNode right = rex.makeInputRef(fields.get(i).getType(), i);
      switch (columns.get(i)) {
        case EQUAL -> {
          operands.add(left);
          values.add(right);
        }
        case LEFT_NULL -> conditions.add(rex.makeCall(SqlStdOperatorTable.IS_NULL, left));
        case RIGHT_NULL -> empty.add(rex.makeCall(SqlStdOperatorTable.IS_NULL, right));
      }
    }
    if (operands.isEmpty()) {
      operands.add(rex.makeLiteral(true));
      values.add(rex.makeLiteral(true));
    }
    RelNode rows = empty.isEmpty() ? query.rel : LogicalFilter.create(query.rel, RexUtil.composeConjunction(rex, empty));
    RelNode asked = LogicalProject.create(rows, List.of(), values, (List<String>) null, Set.of());
    conditions.add(rex.makeCall(SqlStdOperatorTable.IS_TRUE, RexSubQuery.in(asked, ImmutableList.copyOf(operands))));
    return RexUtil.composeConjunction(rex, conditions);
  }
}
