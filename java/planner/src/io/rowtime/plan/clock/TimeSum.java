package io.rowtime.plan.clock;

import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** A time and an interval that is added to it, or subtracted if {@code plus} is false. */
public record TimeSum(RexNode time, RexNode interval, boolean plus) {
  /** Returns the parts of an expression; null if it is not such a sum. */
  public static TimeSum of(RexNode value) {
    if (!(value instanceof RexCall call) || call.getOperands().size() != 2 || !SqlTypeUtil.isDatetime(call.getType())) {
      return null;
    }
    boolean plus = call.isA(SqlKind.PLUS) || call.getOperator().getName().equals("DATETIME_PLUS");
    if (!plus && !call.isA(SqlKind.MINUS)) {
      return null;
    }
    List<RexNode> args = call.getOperands();
    boolean timeFirst = SqlTypeUtil.isDatetime(args.get(0).getType());
    return new TimeSum(args.get(timeFirst ? 0 : 1), args.get(timeFirst ? 1 : 0), plus);
  }
}
