package io.rowtime.over;

import io.rowtime.over.calls.Calls;
import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Keys;
import io.rowtime.over.values.ValueSets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Combines the rows of a task that are alike in some columns, before they are sent to where they are grouped: each call's
 * result over such rows takes the place of its argument, and the values of a column that DISTINCT calls look at become an
 * array with each of them once. For calls that may be combined again afterwards.
 *
 * <p>Where hardly any rows are alike, they are let through: as they are, or few at a time where arrays are asked for.
 */
final class Combiner implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  /** So many different rows, and values of sets, are in memory at most; tests have less. */
  static int most = 1 << 17;
  /** So many where it is not worth while. */
  static int few = 1 << 10;
  /** After so many rows one can tell. */
  static int tried = 1 << 15;

  private final String spec;
  private final List<String> alike;
  private final List<String> sets;
  private final StructType input;

  /** @param schema of the rows that are grouped */
  Combiner(String spec, StructType schema) {
    Spec parsed = Spec.parse(spec);
    Set<String> distinct = new LinkedHashSet<>();
    if (parsed.group() != null) {
      parsed.windows().forEach(window -> window.calls().stream()
          .filter(call -> call.distinct() && Calls.countsRepeats(call.function()))
          .forEach(call -> distinct.addAll(call.args())));
    }
    Set<String> others = new LinkedHashSet<>();
    parsed.combine().forEach(call -> others.addAll(call.args()));
    others.addAll(distinct);
    this.spec = spec;
    alike = Arrays.stream(schema.fieldNames()).filter(name -> !others.contains(name)).toList();
    sets = List.copyOf(distinct);
    input = columns(schema, alike, others);
  }

  private static StructType columns(StructType of, List<String> first, Set<String> others) {
    StructType columns = new StructType();
    for (String name : first) {
      columns = columns.add(of.apply(name));
    }
    for (String name : others) {
      columns = columns.add(of.apply(name));
    }
    return columns;
  }

  /** The columns that it has to be given, in their order: those of calls and sets come last. */
  StructType input() {
    return input;
  }

  /** What it gives: the same, but that there are arrays of what is counted once. */
  StructType output() {
    StructType columns = new StructType();
    for (int i = 0; i < input.length(); i++) {
      DataType type = input.apply(i).dataType();
      columns = sets.contains(input.apply(i).name())
          ? columns.add(input.apply(i).name(), new ArrayType(type, false)) : columns.add(input.apply(i));
    }
    return columns;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Combined(rows);
  }

  private final class Combined implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final UnsafeProjection key = KeyColumns.of(alike, input);
    private final Narrow columns = new Narrow(input);
    private final List<Applied> calls = new ArrayList<>();
    private final int[] setColumns;
    private final ValueSets[] values;
    private final Chunk one;
    private final UnsafeRow keyRow = new UnsafeRow(alike.size());
    private final SpecificInternalRow results;
    private final JoinedRow joined;
    private final Repeats repeats = new Repeats(alike.size(), input);
    private Keys keys = new Keys();
    /** The slot of the latest row, or -1. */
    private int last;
    private int size;
    private int next;
    private long taken;
    private boolean passes;

    Combined(Iterator<InternalRow> rows) {
      this.rows = rows;
      for (Spec.Call call : Spec.parse(spec).combine()) {
        // What counts rows is given a 1 by each, which need not be read.
        Spec.Call read = call.function().equals("COUNT") ? call.ofRows() : call;
        calls.add(Applied.of(read, columns, calls.size(), false, true, List.of()));
      }
      setColumns = sets.stream().mapToInt(columns::index).toArray();
      values = new ValueSets[setColumns.length];
      one = new Chunk(columns.types(), 1);
      List<DataType> types = Arrays.stream(output().fields()).skip(alike.size()).map(field -> field.dataType()).toList();
      results = new SpecificInternalRow(CollectionConverters.asScala(types).toSeq());
      joined = new JoinedRow(keyRow, results);
      fill();
    }

    /** Takes rows in until there are none, or enough. */
    private void fill() {
      for (int slot = 0; slot < keys.slots(); slot++) {
        int gone = slot;
        calls.forEach(call -> call.aggregate.clear(gone));
      }
      Arrays.setAll(values, i -> new ValueSets(columns.type(setColumns[i])));
      keys = new Keys();
      last = -1;
      next = 0;
      size = 0;
      while (rows.hasNext() && size < (passes ? few : most)) {
        take((UnsafeRow) rows.next());
        if (++taken == tried && keys.slots() > taken / 4 * 3) {
          passes = true;
          break;
        }
      }
      calls.forEach(call -> call.begin(keys.slots(), 1));
    }

    private void take(UnsafeRow row) {
      int slot = slot(row);
      columns.read(row, one, 0);
      for (Applied call : calls) {
        call.aggregate.add(slot, one, 0);
      }
      for (int i = 0; i < values.length; i++) {
        if (!one.columns[setColumns[i]].isNull(0) && values[i].add(slot, one.columns[setColumns[i]], 0)) {
          size++;
        }
      }
    }

    private int slot(UnsafeRow row) {
      if (last >= 0 && repeats.isLike(row, keys.key(last))) {
        return last;
      }
      last = keys.slot(key.apply(row));
      if (keys.created()) {
        calls.forEach(call -> call.aggregate.grow(keys.slots()));
        size++;
      }
      return last;
    }

    @Override public boolean hasNext() {
      if (next == keys.slots() && rows.hasNext() && !letsThrough()) {
        fill();
      }
      return next < keys.slots() || letsThrough() && rows.hasNext();
    }

    private boolean letsThrough() {
      return passes && sets.isEmpty();
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (next == keys.slots()) {
        // The columns of the calls come last, and a row by itself has in them what it would have alone.
        return rows.next();
      }
      byte[] bytes = keys.key(next);
      keyRow.pointTo(bytes, bytes.length);
      for (Applied call : calls) {
        call.aggregate.result(next, null, 0, call.results, 0);
        call.results.write(0, results, call.output);
      }
      for (int i = 0; i < values.length; i++) {
        results.update(calls.size() + i, values[i].toArray(next));
      }
      next++;
      return joined;
    }
  }
}
