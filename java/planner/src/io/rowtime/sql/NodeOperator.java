package io.rowtime.sql;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The operator of one of our nodes. It rebuilds the node from its operands, so that a copy of a tree keeps its classes.
 */
final class NodeOperator extends SqlSpecialOperator {
  /** Makes a node from the operands that its {@code getOperandList} returned. */
  @FunctionalInterface
  interface Factory {
    SqlCall create(SqlParserPos pos, SqlNode[] operands);
  }

  private final Factory factory;

  NodeOperator(String name, SqlKind kind, Factory factory) {
    super(name, kind);
    this.factory = factory;
  }

  @Override public SqlCall createCall(SqlLiteral functionQualifier, SqlParserPos pos, SqlNode... operands) {
    return factory.create(pos, operands);
  }

  /** Returns a flag as an operand, so that two nodes that differ in it are not equal. */
  static SqlNode flag(boolean value) {
    return SqlLiteral.createBoolean(value, SqlParserPos.ZERO);
  }

  static boolean flag(SqlNode operand) {
    return ((SqlLiteral) operand).booleanValue();
  }

  /** Returns an enum value as an operand; null stays null. */
  static SqlNode symbol(Enum<?> value) {
    return value == null ? null : SqlLiteral.createSymbol(value, SqlParserPos.ZERO);
  }

  static <E extends Enum<E>> E symbol(SqlNode operand, Class<E> type) {
    return operand == null ? null : ((SqlLiteral) operand).getValueAs(type);
  }
}
