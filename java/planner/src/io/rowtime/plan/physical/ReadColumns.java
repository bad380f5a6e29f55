package io.rowtime.plan.physical;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Determines which columns a node reads of each of its inputs, and a scan of its source: those that it computes with,
 * and those that nodes above it need.
 */
final class ReadColumns {
  private final Map<PlanNode, List<List<Integer>>> reads = new IdentityHashMap<>();

  private ReadColumns() {}

  static Map<PlanNode, List<List<Integer>>> of(PlanNode root) {
    ReadColumns found = new ReadColumns();
    found.visit(root, all(root));
    return found.reads;
  }

  /** @param above the columns of the node itself that are read */
  private void visit(PlanNode node, BitSet above) {
    List<List<Integer>> read = new ArrayList<>();
    reads.put(node, read);
    if (node.operator() instanceof Operator.Scan) {
      read.add(above.stream().boxed().toList());
      return;
    }
    for (int i = 0; i < node.inputs().size(); i++) {
      BitSet below = of(node, above, i);
      read.add(below.stream().boxed().toList());
      visit(node.input(i), below);
    }
  }

  /** Returns the columns that a node reads of one of its inputs. */
  private static BitSet of(PlanNode node, BitSet above, int number) {
    PlanNode input = node.input(number);
    BitSet read = new BitSet();
    return switch (node.kind()) {
      case PROJECT -> references(((Operator.Project) node.operator()).exprs(), read);
      case FILTER -> references(((Operator.Filter) node.operator()).condition(), (BitSet) above.clone());
      case TOP_N -> {
        Operator.TopN rows = (Operator.TopN) node.operator();
        read.or(above.get(0, input.columns().size()));
        rows.partition().forEach(read::set);
        sortKeys(rows.order(), read);
        yield references(rows.closes(), read);
      }
      case AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, UPDATING_AGGREGATE -> {
        Operator.Grouped groups = (Operator.Grouped) node.operator();
        groups.keys().forEach(read::set);
        calls(groups.calls(), read);
        yield references(groups.closes(), read);
      }
      case HOP_AGGREGATE -> {
        Operator.HopAggregate windows = (Operator.HopAggregate) node.operator();
        read.set(windows.pane());
        windows.keys().stream().filter(Operator.HopKey::isColumn).forEach(key -> read.set(key.column()));
        calls(windows.calls(), read);
        yield read;
      }
      case INTERVAL_JOIN -> {
        Operator.IntervalJoin join = (Operator.IntervalJoin) node.operator();
        // Rows are duplicates if all of their columns are equal.
        yield (number == 0 ? join.leftDistinct() : join.rightDistinct()) ? all(input)
            : references(number == 0 ? join.leftKeys() : join.rightKeys(), ofJoin(node, join.condition(), above, number));
      }
      case UPDATING_JOIN -> {
        Operator.UpdatingJoin join = (Operator.UpdatingJoin) node.operator();
        BitSet columns = references(number == 0 ? join.leftKeys() : join.rightKeys(), ofJoin(node, join.condition(), above, number));
        Operator.LastMatch end = number == 0 ? join.leftEnd() : join.rightEnd();
        if (end != null) {
          columns.set(end.column());
        }
        yield columns;
      }
      case TEMPORAL_JOIN -> {
        Operator.TemporalJoin join = (Operator.TemporalJoin) node.operator();
        BitSet columns = references(number == 0 ? join.leftKeys() : join.rightKeys(), ofJoin(node, join.condition(), above, number));
        if (number == 1) {
          join.identity().forEach(columns::set);
        }
        yield columns;
      }
      case TEMPORAL_FILTER -> {
        Operator.TemporalFilter filter = (Operator.TemporalFilter) node.operator();
        read.or(above);
        filter.enters().forEach(limit -> read.set(limit.column()));
        filter.leaves().forEach(limit -> read.set(limit.column()));
        yield read;
      }
      case LOOKUP_JOIN -> ofJoin(node, ((Operator.LookupJoin) node.operator()).condition(), above, number);
      case SEARCH_KEY -> {
        Operator.SearchKey join = (Operator.SearchKey) node.operator();
        BitSet columns = ofJoin(node, join.condition(), above, number);
        if (number == 0) {
          yield references(join.lookup(), columns);
        }
        join.keys().forEach(columns::set);
        yield columns;
      }
      // The others need whole rows.
      default -> all(input);
    };
  }

  /** Returns the columns that a join reads of its left (0) or right (1) input: those needed above, and those in its condition. */
  private static BitSet ofJoin(PlanNode node, Expression condition, BitSet above, int input) {
    BitSet both = references(condition, (BitSet) above.clone());
    int width = node.input(0).columns().size();
    // The ROWTIME after the columns of both inputs is the join's own.
    return input == 0 ? both.get(0, width) : both.get(width, width + node.input(1).columns().size());
  }

  private static void calls(List<GroupCall> calls, BitSet read) {
    for (GroupCall call : calls) {
      call.args().forEach(read::set);
      sortKeys(call.order(), read);
      if (call.filter() != null) {
        read.set(call.filter());
      }
    }
  }

  private static void sortKeys(List<SortKey> keys, BitSet read) {
    keys.forEach(key -> read.set(key.index()));
  }

  private static BitSet references(Collection<Expression> expressions, BitSet read) {
    expressions.forEach(expression -> references(expression, read));
    return read;
  }

  /** Adds the columns that an expression reads; null for none. */
  private static BitSet references(Expression expression, BitSet read) {
    if (expression instanceof Expression.ColumnRef ref) {
      read.set(ref.index());
    } else if (expression != null) {
      references(expression.args(), read);
    }
    return read;
  }

  private static BitSet all(PlanNode node) {
    BitSet all = new BitSet();
    all.set(0, node.columns().size());
    return all;
  }
}
