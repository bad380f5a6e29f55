package io.rowtime.plan.convert;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlRexContext;

/** Converts {@code ||} of any scalar types: operands that are not character strings are cast to VARCHAR first. */
final class Concat {
  private Concat() {}

  static RexNode convert(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      RexNode value = context.convertExpression(operand);
      operands.add(SqlTypeUtil.inCharFamily(value.getType()) ? value : rex.makeCast(varchar(context, value), value));
    }
    RelDataType known = context.getValidator().getValidatedNodeTypeIfKnown(call);
    // Calcite does not validate the ORDER BY expression of WITHIN GROUP as a whole.
    return known == null ? rex.makeCall(SqlStdOperatorTable.CONCAT, operands)
        : rex.makeCall(known, SqlStdOperatorTable.CONCAT, operands);
  }

  private static RelDataType varchar(SqlRexContext context, RexNode value) {
    return context.getTypeFactory().createTypeWithNullability(
        context.getTypeFactory().createSqlType(SqlTypeName.VARCHAR), value.getType().isNullable());
  }
}
