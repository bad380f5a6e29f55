package io.rowtime.plan.convert;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/**
 * Converts DAYNAME and MONTHNAME of a timestamp to those of its date. Of a timestamp before 1970, Calcite would name
 * the day after.
 */
final class NameCalls {
  private NameCalls() {}

  static boolean matches(SqlCall call) {
    return call.getOperator() == SqlLibraryOperators.DAYNAME || call.getOperator() == SqlLibraryOperators.MONTHNAME;
  }

  static RexNode convert(SqlRexContext context, SqlCall sql) {
    RexNode converted = StandardConvertletTable.INSTANCE.get(sql).convertCall(context, sql);
    if (!(converted instanceof RexCall call) || call.getOperands().get(0).getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
      return converted;
    }
    RexBuilder rex = context.getRexBuilder();
    RelDataTypeFactory types = rex.getTypeFactory();
    RexNode time = call.getOperands().get(0);
    RelDataType date = types.createTypeWithNullability(types.createSqlType(SqlTypeName.DATE), time.getType().isNullable());
    return rex.makeCall(call.getType(), call.getOperator(), List.of(rex.makeCast(date, time)));
  }
}
