package io.rowtime.plan.rewrite;

import io.rowtime.plan.origin.Origins;
import io.rowtime.validate.UserFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Computes a call of a function that is not deterministic once where Calcite has made several of it, as in NULLIF, COALESCE, BETWEEN, IN
 * and {@code CASE f(x) WHEN …}: it becomes a column of a projection below. Where such a call is in a branch of CASE, the column is
 * NULL for rows that take another branch, for which the call may fail.
 */
final class RepeatedCalls {
  private final RexBuilder rex;
  /** How often there is each call. */
  private final Map<RexCall, Integer> counts = new HashMap<>();
  /** The calls that become columns, and these columns. */
  private final List<RexCall> repeated = new ArrayList<>();
  private final List<RexNode> columns = new ArrayList<>();

  private RepeatedCalls(RexBuilder rex) {
    this.rex = rex;
  }

  static RelNode replace(RelNode plan, Origins origins) {
    return origins.rewrite(plan, node -> node instanceof LogicalProject project && project.getVariablesSet().isEmpty() ? once(project)
        : node instanceof LogicalFilter filter && filter.getVariablesSet().isEmpty() ? once(filter) : node);
  }

  private static RelNode once(LogicalProject project) {
    RepeatedCalls calls = new RepeatedCalls(project.getCluster().getRexBuilder());
    RelNode input = calls.of(project.getInput(), project.getProjects());
    return input == project.getInput() ? project : LogicalProject.create(input, project.getHints(), calls.references(project.getProjects(), input),
        project.getRowType().getFieldNames(), Set.of());
  }

  private static RelNode once(LogicalFilter filter) {
    RepeatedCalls calls = new RepeatedCalls(filter.getCluster().getRexBuilder());
    RelNode input = calls.of(filter.getInput(), List.of(filter.getCondition()));
    if (input == filter.getInput()) {
      return filter;
    }
    RelNode filtered = LogicalFilter.create(input, calls.references(List.of(filter.getCondition()), input).get(0));
    return LogicalProject.create(filtered, List.of(), calls.rex.identityProjects(filter.getRowType()), filter.getRowType().getFieldNames(), Set.of());
  }

  /** Returns an input with the calls that are repeated in expressions. */
  private RelNode of(RelNode input, List<? extends RexNode> expressions) {
    expressions.forEach(this::count);
    if (counts.values().stream().allMatch(count -> count == 1)) {
      return input;
    }
    expressions.forEach(expression -> add(expression, null));
    List<RexNode> all = new ArrayList<>(rex.identityProjects(input.getRowType()));
    all.addAll(columns);
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    for (int call = 0; call < columns.size(); call++) {
      names.add("$call" + call);
    }
    // An argument or a branch may have a call that is repeated as well.
    return once(LogicalProject.create(input, List.of(), all, names, Set.of()));
  }

  private void count(RexNode expression) {
    expression.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        // The arguments of another one of a call are the same calls as well.
        return varies(call) && counts.merge(call, 1, Integer::sum) > 1 ? call : super.visitCall(call);
      }
    });
  }

  private boolean isRepeated(RexCall call) {
    return varies(call) && counts.get(call) > 1;
  }

  /** Other functions that are not deterministic have no calls that could be told apart. */
  private static boolean varies(RexCall call) {
    return call.getOperator() instanceof UserFunction function && !function.isDeterministic();
  }

  /** Adds the repeated calls of an expression that is computed where a {@code condition} is true; null: for all rows. */
  private void add(RexNode expression, RexNode condition) {
    if (!(expression instanceof RexCall call)) {
      return;
    }
    if (isRepeated(call)) {
      if (!repeated.contains(call)) {
        repeated.add(call);
        columns.add(condition == null ? call : rex.makeCall(call.getType(), SqlStdOperatorTable.CASE, List.of(condition, call, rex.makeNullLiteral(call.getType()))));
      }
      return;
    }
    List<RexNode> operands = call.getOperands();
    for (int operand = 0; operand < operands.size(); operand++) {
      add(operands.get(operand), call.isA(SqlKind.CASE) ? both(condition, reached(operands, operand)) : condition);
    }
  }

  /** Returns when an operand of CASE is computed; null: always, or it depends on a call that is made there only. */
  private RexNode reached(List<RexNode> operands, int operand) {
    List<RexNode> cases = new ArrayList<>();
    boolean isValue = operand % 2 == 1;
    for (int before = 0; before < operand - 1; before += 2) {
      cases.add(operands.get(before));
      cases.add(rex.makeLiteral(false));
    }
    if (isValue) {
      cases.add(operands.get(operand - 1));
      cases.add(rex.makeLiteral(true));
    }
    cases.add(rex.makeLiteral(!isValue));
    boolean[] computed = {cases.size() > 1};
    cases.forEach(each -> each.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        computed[0] &= isRepeated(call) || call.getOperator().isDeterministic();
        return super.visitCall(call);
      }
    }));
    return computed[0] ? rex.makeCall(SqlStdOperatorTable.CASE, cases) : null;
  }

  private RexNode both(RexNode one, RexNode other) {
    return one == null ? other : other == null ? one : rex.makeCall(SqlStdOperatorTable.CASE, one, other, rex.makeLiteral(false));
  }

  /** Returns expressions over the input with the columns. */
  private List<RexNode> references(List<? extends RexNode> expressions, RelNode input) {
    int first = input.getRowType().getFieldCount() - columns.size();
    RexShuttle shuttle = new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return isRepeated(call) ? new RexInputRef(first + repeated.indexOf(call), call.getType()) : super.visitCall(call);
      }
    };
    return expressions.stream().map(expression -> expression.accept(shuttle)).toList();
  }
}
