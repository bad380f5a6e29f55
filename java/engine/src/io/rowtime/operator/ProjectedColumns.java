package io.rowtime.operator;

import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The columns of the input that windows read. Only these are kept after a row is emitted. */
public final class ProjectedColumns {
  private final StructType schema;
  private final List<Integer> ordinals = new ArrayList<>();
  private final List<ValueType> types = new ArrayList<>();
  private int[] fixed;

  public ProjectedColumns(StructType schema) {
    this.schema = schema;
  }

  /**
   * Returns the index of a column, and adds it to the columns that are kept if necessary. Of an array, the elements are
   * kept.
   */
  public int index(String column) {
    int ordinal = schema.fieldIndex(column);
    int index = ordinals.indexOf(ordinal);
    if (index >= 0) {
      return index;
    }
    DataType type = schema.apply(ordinal).dataType();
    types.add(ValueType.of(type instanceof ArrayType array ? array.elementType() : type));
    ordinals.add(ordinal);
    return types.size() - 1;
  }

  public ValueType type(int index) {
    return types.get(index);
  }

  public ValueType[] types() {
    return types.toArray(ValueType[]::new);
  }

  /** Returns the elements of a column that is an array. */
  public ArrayData elements(int index, UnsafeRow row) {
    return row.getArray(ordinals.get(index));
  }

  public void read(UnsafeRow row, Chunk to, int at) {
    if (fixed == null || fixed.length != ordinals.size()) {
      fixed = ordinals.stream().mapToInt(Integer::intValue).toArray();
    }
    for (int i = 0; i < fixed.length; i++) {
      to.columns[i].read(at, row, fixed[i]);
    }
  }
}
