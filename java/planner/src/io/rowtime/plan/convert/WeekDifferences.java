package io.rowtime.plan.convert;

import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/**
 * Converts {@code TIMESTAMPDIFF(WEEK, …)} so that only the number of weeks must be an INTEGER. Calcite makes one of the
 * seconds first, which fails for more than 68 years.
 */
final class WeekDifferences {
  private WeekDifferences() {}

  static RexNode convert(SqlRexContext context, SqlCall call) {
    RexNode converted = StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
    if (converted instanceof RexCall weeks && weeks.isA(SqlKind.DIVIDE) && weeks.getOperands().get(0) instanceof RexCall seconds
        && seconds.isA(SqlKind.CAST) && seconds.getOperands().get(0).getType().getSqlTypeName() == SqlTypeName.BIGINT) {
      RexBuilder rex = context.getRexBuilder();
      return rex.makeCast(weeks.getType(), rex.makeCall(weeks.getOperator(),
          List.of(seconds.getOperands().get(0), weeks.getOperands().get(1))));
    }
    return converted;
  }
}
