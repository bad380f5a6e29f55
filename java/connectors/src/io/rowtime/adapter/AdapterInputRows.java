package io.rowtime.adapter;

import io.rowtime.api.InputRow;
import io.rowtime.functions.ApiValues;
import io.rowtime.spark.Rethrown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Converts Spark's rows to the rows that a target adapter receives. */
final class AdapterInputRows implements Iterator<InputRow> {
  private final StructField[] fields;
  private final List<String> names;
  private final Map<String, Integer> places = new HashMap<>();
  private final Iterator<InternalRow> rows;
  private long count;
  private Throwable fault;

  AdapterInputRows(StructType schema, Iterator<InternalRow> rows) {
    this.fields = schema.fields();
    this.names = List.of(schema.fieldNames());
    for (int i = 0; i < fields.length; i++) {
      // If names differ only in case, the first one is found in any case.
      places.putIfAbsent(foldCase(names.get(i)), i);
    }
    for (int i = 0; i < fields.length; i++) {
      places.put(names.get(i), i);
    }
    this.rows = rows;
  }

  /** Returns the number of rows taken so far. */
  long count() {
    return count;
  }

  /** Throws an exception that occurred while Spark computed the rows, which is not the adapter's failure. */
  void rethrow() {
    if (fault != null) {
      throw Rethrown.unchanged(fault);
    }
  }

  @Override public boolean hasNext() {
    return runSpark(rows::hasNext);
  }

  @Override public InputRow next() {
    InternalRow row = runSpark(rows::next);
    List<Object> values = new ArrayList<>(fields.length);
    for (int i = 0; i < fields.length; i++) {
      DataType type = fields[i].dataType();
      Object value = row.isNullAt(i) ? null : ApiValues.toApi(row.get(i, type), type);
      // Spark may reuse the bytes of a row.
      values.add(value instanceof byte[] bytes ? Arrays.copyOf(bytes, bytes.length) : value);
    }
    count++;
    return new Taken(names, places, Collections.unmodifiableList(values));
  }

  private <T> T runSpark(Supplier<T> step) {
    try {
      return step.get();
    } catch (RuntimeException | Error e) {
      fault = e;
      throw e;
    }
  }

  private static String foldCase(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  private record Taken(List<String> columns, Map<String, Integer> places, List<Object> values) implements InputRow {
    @Override public Object get(String column) {
      Integer place = places.getOrDefault(column, places.get(foldCase(column)));
      if (place == null) {
        throw new IllegalArgumentException("there is no column " + column);
      }
      return values.get(place);
    }
  }
}
