package io.rowtime.operator.search;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Returns the distinct keys of a task's rows, without keys that contain NULL.
 *
 * @param schema the columns of the rows
 * @param keys the names of the key columns
 * @param most the limit; at most one key more than this is returned
 */
record KeysOfTask(StructType schema, List<String> keys, int most) implements FlatMapFunction<Iterator<InternalRow>, UnsafeRow> {
  @Override public Iterator<UnsafeRow> call(Iterator<InternalRow> rows) {
    int[] places = keys.stream().mapToInt(schema::fieldIndex).toArray();
    UnsafeProjection projection = KeyProjection.projection(schema, keys);
    Set<UnsafeRow> found = new HashSet<>();
    while (rows.hasNext() && found.size() <= most) {
      InternalRow row = rows.next();
      if (Arrays.stream(places).noneMatch(row::isNullAt)) {
        UnsafeRow key = projection.apply(row);
        if (!found.contains(key)) {
          found.add(key.copy());
        }
      }
    }
    return found.iterator();
  }
}
