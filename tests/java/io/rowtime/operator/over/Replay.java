package io.rowtime.operator.over;

import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.state.FakeStates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** An operator that receives batches, and loses its memory now and then. */
final class Replay {
  final FakeStates states;
  /** The output: the number of each row, and its results by name. */
  final List<Integer> out = new ArrayList<>();
  final Map<Integer, Map<String, Object>> results = new HashMap<>();
  private final Random random;
  private final StructType schema;
  private final FedOperator fed;

  /** @param random decides when memory is lost; null for never */
  Replay(OverSpec spec, Random random) {
    this.random = random;
    this.schema = OverStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA).output();
    this.fed = new FedOperator(() -> new StagePipeline(OverStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA)));
    this.states = fed.states;
  }

  /** @param clock milliseconds of the rows' own time; returns the numbers of the rows that were emitted */
  List<Integer> step(List<Item> rows, long clock) {
    boolean forgets = random != null && random.nextInt(3) == 0;
    Iterator<InternalRow> output = fed.process(rows.stream().map(Item::row).iterator(), clock, forgets);
    fed.save();
    List<Integer> step = new ArrayList<>();
    while (output.hasNext()) {
      InternalRow row = output.next();
      int id = row.getInt(0);
      step.add(id);
      Map<String, Object> values = new HashMap<>();
      for (int i = Item.SCHEMA.length(); i < schema.length(); i++) {
        values.put(schema.apply(i).name(), plain(row, i, schema.apply(i).dataType()));
      }
      results.put(id, values);
    }
    out.addAll(step);
    return step;
  }

  /** Returns when the operator has to run without rows, in milliseconds of the rows' own time. */
  long due() {
    return fed.due();
  }

  private static Object plain(InternalRow row, int ordinal, DataType type) {
    Object value = row.isNullAt(ordinal) ? null : row.get(ordinal, type);
    return value instanceof ArrayData array
        ? Arrays.stream(array.toObjectArray(((ArrayType) type).elementType())).map(Replay::plain).toList()
        : plain(value);
  }

  private static Object plain(Object value) {
    return value instanceof Decimal decimal ? decimal.toJavaBigDecimal()
        : value instanceof UTF8String text ? text.toString() : value;
  }
}
