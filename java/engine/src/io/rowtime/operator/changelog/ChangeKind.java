package io.rowtime.operator.changelog;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Whether a change adds a row or retracts one. */
final class ChangeKind {
  private final int column;
  private final DataType type;

  /** @param op the column with the number of a change, of an integer type */
  ChangeKind(String op, StructType schema) {
    column = schema.fieldIndex(op);
    type = schema.apply(column).dataType();
  }

  /** Returns 1 for a row that is inserted or replaces another, -1 for one that is replaced or deleted, 0 for what is no change. */
  int of(InternalRow row) {
    if (row.isNullAt(column)) {
      return 0;
    }
    long op = number(row);
    return op == 0 || op == 2 ? 1 : op == 1 || op == 3 ? -1 : 0;
  }

  private long number(InternalRow row) {
    if (type.equals(DataTypes.ByteType)) {
      return row.getByte(column);
    }
    if (type.equals(DataTypes.ShortType)) {
      return row.getShort(column);
    }
    return type.equals(DataTypes.IntegerType) ? row.getInt(column) : row.getLong(column);
  }
}
