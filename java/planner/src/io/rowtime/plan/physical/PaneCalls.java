package io.rowtime.plan.physical;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Splits aggregate functions into two steps: over the rows of a pane, and over the panes of a window. */
final class PaneCalls {
  private final RexBuilder rex;
  private final List<AggregateCall> calls;
  private final Map<Integer, Integer> columns;
  private final List<AggregateCall> partial = new ArrayList<>();

  /** @param columns the columns that the calls read, mapped to columns of the input of the first step */
  PaneCalls(RexBuilder rex, List<AggregateCall> calls, Map<Integer, Integer> columns) {
    this.rex = rex;
    this.calls = calls;
    this.columns = columns;
    for (AggregateCall call : calls) {
      if (call.getAggregation().getKind() == SqlKind.AVG) {
        RelDataType sum = rex.getTypeFactory().createTypeWithNullability(call.getType(), true);
        partial.add(first(call, SqlStdOperatorTable.SUM, sum));
        partial.add(first(call, SqlStdOperatorTable.COUNT, rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT)));
      } else {
        partial.add(first(call, call.getAggregation(), call.getType()));
      }
    }
  }

  /** Returns whether a call's value for a window can be computed from its values for the panes. */
  static boolean splits(AggregateCall call) {
    boolean known = switch (call.getAggregation().getKind()) {
      case COUNT, SUM, SUM0, MIN, MAX -> true;
      // For exact numbers, the sum would have only as many digits as the average.
      case AVG -> SqlTypeUtil.isApproximateNumeric(call.getType());
      default -> false;
    };
    return known && call.getArgList().size() < 2 && !call.isDistinct() && call.getCollation().getFieldCollations().isEmpty();
  }

  List<AggregateCall> partial() {
    return partial;
  }

  /** Returns the calls of the second step, over a row of {@code keys} columns and the results of the first step. */
  List<AggregateCall> total(int keys) {
    List<AggregateCall> total = new ArrayList<>();
    for (int i = 0; i < partial.size(); i++) {
      AggregateCall call = partial.get(i);
      boolean count = call.getAggregation().getKind() == SqlKind.COUNT;
      SqlAggFunction function = count ? SqlStdOperatorTable.SUM0 : call.getAggregation();
      total.add(AggregateCall.create(function, false, false, false, List.of(), List.of(keys + i), -1, null,
          RelCollations.EMPTY, call.getType(), "$total" + i));
    }
    return total;
  }

  /** Returns the values of the original calls, computed from a row of the second step. */
  List<RexNode> results(RelNode groups, int keys) {
    List<RexNode> results = new ArrayList<>();
    int next = keys;
    for (AggregateCall call : calls) {
      RexNode value = rex.makeInputRef(groups, next++);
      if (call.getAggregation().getKind() == SqlKind.AVG) {
        RexNode count = rex.makeInputRef(groups, next++);
        RexNode none = rex.makeCall(SqlStdOperatorTable.EQUALS, count, rex.makeZeroLiteral(count.getType()));
        RexNode average = rex.makeCall(SqlStdOperatorTable.DIVIDE, value, count);
        value = rex.makeCall(SqlStdOperatorTable.CASE, none, rex.makeNullLiteral(average.getType()), average);
      }
      results.add(value);
    }
    return results;
  }

  private AggregateCall first(AggregateCall call, SqlAggFunction function, RelDataType type) {
    List<Integer> args = call.getArgList().stream().map(columns::get).toList();
    int filter = call.hasFilter() ? columns.get(call.filterArg) : -1;
    return AggregateCall.create(function, false, false, false, List.of(), args, filter, null, RelCollations.EMPTY, type,
        "$partial" + partial.size());
  }
}
