package io.rowtime.operator.process;

import io.rowtime.functions.ApiValues;
import io.rowtime.operator.spec.ProcessSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;

/** The columns that a function reads, its partition columns, and its result columns. */
final class ProcessColumns {
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private final int[] ordinals;
  private final DataType[] types;
  private final Map<String, Integer> keysByName = new HashMap<>();
  private final DataType[] keyTypes;
  private final UnsafeRow keyRow;
  private final DataType[] resultTypes;
  private final StructType output;
  private final StructType travelling;

  ProcessColumns(ProcessSpec spec, StructType input) {
    ordinals = new int[spec.columns().size()];
    types = new DataType[ordinals.length];
    keyTypes = new DataType[spec.partition().size()];
    StructType output = new StructType().add("rowtime", DataTypes.TimestampType);
    for (int i = 0; i < keyTypes.length; i++) {
      keyTypes[i] = input.apply(spec.partition().get(i)).dataType();
      output = output.add(spec.partition().get(i), keyTypes[i]);
    }
    for (int i = 0; i < ordinals.length; i++) {
      ProcessSpec.Column column = spec.columns().get(i);
      ordinals[i] = input.fieldIndex(column.column());
      types[i] = input.apply(ordinals[i]).dataType();
      names.add(column.name());
      byName.putIfAbsent(column.name().toUpperCase(Locale.ROOT), i);
      int key = spec.partition().indexOf(column.column());
      if (key >= 0) {
        keysByName.put(column.name().toUpperCase(Locale.ROOT), key);
      }
    }
    keyRow = new UnsafeRow(keyTypes.length);
    resultTypes = new DataType[spec.results().size()];
    for (int i = 0; i < resultTypes.length; i++) {
      resultTypes[i] = DataType.fromDDL(spec.results().get(i).sparkType());
      output = output.add("r" + i, resultTypes[i]);
    }
    this.output = output;
    StructType travelling = new StructType().add("partition", DataTypes.LongType).add("rowtime", DataTypes.LongType);
    for (int i = 0; i < resultTypes.length; i++) {
      travelling = travelling.add("c" + i, isTime(resultTypes[i]) ? DataTypes.LongType : resultTypes[i]);
    }
    this.travelling = travelling;
  }

  /** Returns ROWTIME, the partition columns, and the function's columns. */
  StructType output() {
    return output;
  }

  private static boolean isTime(DataType type) {
    return type instanceof TimestampType || type instanceof TimeType;
  }

  /** Returns the partition columns and the columns that the function reads, named by number. */
  StructType keys() {
    return numberedColumns("k", keyTypes);
  }

  StructType readColumns() {
    return numberedColumns("c", types);
  }

  private static StructType numberedColumns(String prefix, DataType[] types) {
    StructType schema = new StructType();
    for (int i = 0; i < types.length; i++) {
      schema = schema.add(prefix + i, types[i]);
    }
    return schema;
  }

  /**
   * Returns the columns of rows from a worker: the number of the partition, ROWTIME, and the function's columns; times
   * are in microseconds.
   */
  StructType workerRows() {
    return travelling;
  }

  /** Returns the values of the function's columns in such a row. */
  Object[] resultValues(InternalRow row) {
    Object[] values = new Object[resultTypes.length];
    for (int i = 0; i < values.length; i++) {
      if (!row.isNullAt(i + 2)) {
        values[i] = resultTypes[i] instanceof TimeType ? (Object) (row.getLong(i + 2) * 1000)
            : row.get(i + 2, travelling.apply(i + 2).dataType());
      }
    }
    return values;
  }

  /** Returns the names of the columns that the function reads. */
  void read(UnsafeRow row, Object[] to) {
    for (int i = 0; i < ordinals.length; i++) {
      to[i] = row.isNullAt(ordinals[i]) ? null : row.get(ordinals[i], types[i]);
    }
  }

  List<String> names() {
    return List.copyOf(names);
  }

  /** Returns the value of a column of a row; the name may be in any case. */
  Object value(UnsafeRow row, String column) {
    Integer i = byName.get(column);
    if (i == null) {
      i = byName.get(column.toUpperCase(Locale.ROOT));
    }
    if (i == null) {
      throw new IllegalArgumentException("there is no column '" + column + "' among " + String.join(", ", names));
    }
    return row.isNullAt(ordinals[i]) ? null : ApiValues.toApi(row.get(ordinals[i], types[i]), types[i]);
  }

  Object key(byte[] key, String column) {
    Integer i = keysByName.get(column.toUpperCase(Locale.ROOT));
    if (i == null) {
      throw new IllegalArgumentException("there is no PARTITION BY column '" + column + "'");
    }
    return ApiValues.toApi(internalKey(key, i), keyTypes[i]);
  }

  Object internalKey(byte[] key, int i) {
    keyRow.pointTo(key, key.length);
    return keyRow.isNullAt(i) ? null : keyRow.get(i, keyTypes[i]);
  }

  /** Describes the partition, for example {@code K = 5}; returns '' if there is only one. */
  String describe(byte[] key) {
    List<String> parts = new ArrayList<>();
    names.forEach(name -> {
      Integer i = keysByName.get(name.toUpperCase(Locale.ROOT));
      if (i != null) {
        parts.add(name + " = " + ApiValues.toApi(internalKey(key, i), keyTypes[i]));
      }
    });
    return String.join(", ", parts);
  }

  /** Converts values of the function's columns to Spark's internal form. */
  Object[] results(Object[] values) {
    if (values.length != resultTypes.length) {
      throw new IllegalArgumentException("it emits " + values.length + " values for " + resultTypes.length + " columns");
    }
    Object[] internal = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      internal[i] = ApiValues.toSpark(values[i], resultTypes[i]);
    }
    return internal;
  }

  /** Writes rows of the result. */
  final class Writer {
    private final Object[] values = new Object[output.length()];
    private final GenericInternalRow row = new GenericInternalRow(values);
    private final UnsafeProjection binary = UnsafeProjection.create(output);

    /** Returns the row, valid until the next call. */
    UnsafeRow row(byte[] key, long rowtime, Object[] results) {
      values[0] = rowtime;
      for (int i = 0; i < keyTypes.length; i++) {
        values[i + 1] = internalKey(key, i);
      }
      System.arraycopy(results, 0, values, 1 + keyTypes.length, results.length);
      return binary.apply(row);
    }
  }
}
