package io.rowtime.plan.constant;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/** The range of dates and timestamps: the years 1 to 9999. */
public final class TimeRange {
  /** In milliseconds since 1970-01-01. */
  public static final long MIN = -62_135_596_800_000L;
  /** In milliseconds since 1970-01-01. */
  public static final long MAX = 253_402_300_799_999L;

  private TimeRange() {}

  /**
   * Returns one condition for each date or timestamp that the expressions compute, intermediate values included: that
   * it is out of range.
   */
  static List<RexNode> beyond(RexBuilder rex, List<RexNode> expressions) {
    List<RexNode> found = new ArrayList<>();
    RexVisitorImpl<Void> visitor = new RexVisitorImpl<>(true) {
      @Override public Void visitCall(RexCall call) {
        SqlTypeName type = call.getType().getSqlTypeName();
        if (type == SqlTypeName.TIMESTAMP || type == SqlTypeName.DATE) {
          found.add(rex.makeCall(SqlStdOperatorTable.IS_TRUE, rex.makeCall(SqlStdOperatorTable.OR,
              rex.makeCall(SqlStdOperatorTable.LESS_THAN, call, end(rex, call.getType(), "0001-01-01 00:00:00")),
              rex.makeCall(SqlStdOperatorTable.GREATER_THAN, call, end(rex, call.getType(), "9999-12-31 23:59:59.999")))));
        }
        return super.visitCall(call);
      }
    };
    expressions.forEach(e -> e.accept(visitor));
    return found;
  }

  private static RexNode end(RexBuilder rex, RelDataType type, String text) {
    return type.getSqlTypeName() == SqlTypeName.DATE ? rex.makeDateLiteral(new DateString(text.substring(0, 10)))
        : rex.makeTimestampLiteral(new TimestampString(text), 3);
  }
}
