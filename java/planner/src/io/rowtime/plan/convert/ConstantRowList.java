package io.rowtime.plan.convert;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexContext;

/** IN or NOT IN with a long list of rows of constants, as {@link ConstantList}: the values are converted once. */
final class ConstantRowList extends SqlSpecialOperator {
  private final SqlOperator in;
  private final List<RelDataType> types;
  private final List<List<Comparable<Object>>> rows;

  private ConstantRowList(SqlOperator in, List<RelDataType> types, List<List<Comparable<Object>>> rows) {
    super(in.getName(), SqlKind.OTHER, in.getLeftPrec(), true, ReturnTypes.BOOLEAN_NULLABLE, InferTypes.FIRST_KNOWN, null);
    this.in = in;
    this.types = types;
    this.rows = rows;
  }

  /** Returns the operator for such a call; null for one with other elements. */
  static ConstantRowList of(SqlBasicCall in, SqlNodeList list, SqlValidator validator, RelDataTypeFactory factory) {
    List<RelDataType> types = new ArrayList<>();
    for (SqlNode value : ((SqlCall) in.operand(0)).getOperandList()) {
      RelDataType type = validator.getValidatedNodeTypeIfKnown(value);
      if (type == null) {
        return null;
      }
      types.add(factory.createTypeWithNullability(type, false));
    }
    List<List<Comparable<Object>>> rows = new ArrayList<>(list.size());
    for (SqlNode node : list) {
      List<Comparable<Object>> row = node.getKind() == SqlKind.ROW ? row((SqlCall) node, types, validator) : null;
      if (row == null) {
        return null;
      }
      rows.add(row);
    }
    return new ConstantRowList(in.getOperator(), types, rows);
  }

  private static List<Comparable<Object>> row(SqlCall node, List<RelDataType> types, SqlValidator validator) {
    List<Comparable<Object>> row = new ArrayList<>(types.size());
    for (int i = 0; i < types.size() && i < node.operandCount(); i++) {
      Comparable<Object> constant = ConstantList.constant(node.operand(i), types.get(i), validator);
      if (constant == null) {
        return null;
      }
      row.add(constant);
    }
    return row.size() == types.size() && row.size() == node.operandCount() ? row : null;
  }

  RexNode convert(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    List<RexNode> values = ((SqlCall) call.operand(0)).getOperandList().stream().map(context::convertExpression).toList();
    List<RexNode> found = new ArrayList<>(rows.size());
    for (List<Comparable<Object>> row : rows) {
      List<RexNode> equal = new ArrayList<>(row.size());
      for (int i = 0; i < row.size(); i++) {
        equal.add(rex.makeCall(SqlStdOperatorTable.EQUALS, values.get(i), rex.makeLiteral(row.get(i), types.get(i), true, true)));
      }
      found.add(equal.size() == 1 ? equal.get(0) : rex.makeCall(SqlStdOperatorTable.AND, equal));
    }
    RexNode any = rex.makeCall(SqlStdOperatorTable.OR, found);
    return in.kind == SqlKind.NOT_IN ? rex.makeCall(SqlStdOperatorTable.NOT, any) : any;
  }

  @Override public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    in.unparse(writer, call, leftPrec, rightPrec);
  }
}
