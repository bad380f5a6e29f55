package io.rowtime.plan.physical;

import io.rowtime.plan.clock.RexConstants;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which columns determine which: the start of a window determines its end, and a time the same time plus an interval. */
final class Determinants {
  /** An expression over the rows of a node, of which a column further up is an injective function. */
  private record Root(RelNode rel, RexNode value) {}

  private Determinants() {}

  /** Returns whether the columns of a projection determine all columns of its input, so that rows that differ still differ. */
  static boolean determineInput(Project project) {
    RelNode input = project.getInput();
    Set<Root> known = new HashSet<>();
    project.getProjects().forEach(expr -> known.add(root(input, expr)));
    return input.getRowType().getFieldList().stream()
        .allMatch(field -> known.contains(root(input, RexInputRef.of(field.getIndex(), input.getRowType()))));
  }

  private static Root root(RelNode rel, RexNode expr) {
    RexNode value = argument(expr);
    if (!(value instanceof RexInputRef ref)) {
      return new Root(rel, value);
    }
    if (rel instanceof Project project) {
      RexNode below = project.getProjects().get(ref.getIndex());
      return RexUtil.isDeterministic(below) ? root(project.getInput(), below) : new Root(rel, value);
    }
    if (rel instanceof Filter filter) {
      return root(filter.getInput(), value);
    }
    if (rel instanceof Aggregate aggregate && ref.getIndex() < aggregate.getGroupCount()) {
      return root(aggregate.getInput(), RexInputRef.of(aggregate.getGroupSet().nth(ref.getIndex()), aggregate.getInput().getRowType()));
    }
    return new Root(rel, value);
  }

  /** Returns the innermost expression of which another one is an injective function. */
  private static RexNode argument(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return node;
    }
    List<RexNode> args = call.getOperands();
    return switch (call.getKind()) {
      case PLUS_PREFIX, MINUS_PREFIX -> isWhole(call.getType()) ? argument(args.get(0)) : node;
      case PLUS -> isConstant(args.get(0)) ? shifted(call, args.get(1)) : isConstant(args.get(1)) ? shifted(call, args.get(0)) : node;
      case MINUS -> isConstant(args.get(1)) ? shifted(call, args.get(0)) : node;
      case CAST -> widens(args.get(0).getType(), call.getType()) ? argument(args.get(0)) : node;
      default -> call.getOperator().getName().equals("DATETIME_PLUS") && isConstant(args.get(1)) ? shifted(call, args.get(0)) : node;
    };
  }

  /** Sums of fractions are rounded, and may coincide. */
  private static RexNode shifted(RexCall sum, RexNode term) {
    return isWhole(sum.getType()) && isWhole(term.getType()) ? argument(term) : sum;
  }

  private static boolean isWhole(RelDataType type) {
    return SqlTypeUtil.isDatetime(type) || SqlTypeUtil.isIntType(type);
  }

  /** Not an interval of months, which maps the last days of a month to one day. */
  private static boolean isConstant(RexNode node) {
    return RexConstants.millis(node) != null || SqlTypeUtil.isIntType(node.getType()) && RexConstants.number(node) != null;
  }

  private static boolean widens(RelDataType from, RelDataType to) {
    if (SqlTypeUtil.isDate(from)) {
      return SqlTypeUtil.isTimestamp(to);
    }
    boolean alike = SqlTypeUtil.isIntType(from) && SqlTypeUtil.isIntType(to) || SqlTypeUtil.isTimestamp(from) && SqlTypeUtil.isTimestamp(to)
        || from.getSqlTypeName() == SqlTypeName.VARCHAR && to.getSqlTypeName() == SqlTypeName.VARCHAR;
    return alike && to.getPrecision() >= from.getPrecision();
  }
}
