package io.rowtime.over;

import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Keys;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Combines the rows of a task that are alike in some columns, before they are sent to where they are grouped: each call's
 * result over such rows takes the place of its argument. For calls that may be combined again afterwards. Where hardly
 * any rows are alike, they are let through as they are.
 */
final class Combiner implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  /** So many different rows are in memory at most. */
  private static final int MOST = 1 << 17;
  /** After so many rows one can tell whether it is worth while. */
  private static final int TRIED = 1 << 15;

  private final String spec;
  private final List<String> alike;
  private final StructType schema;

  /** @param alike the columns that are no argument of a call; those come first in {@code schema}, then the arguments */
  Combiner(String spec, List<String> alike, StructType schema) {
    this.spec = spec;
    this.alike = alike;
    this.schema = schema;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Combined(rows);
  }

  private final class Combined implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final UnsafeProjection key = KeyColumns.of(alike, schema);
    private final Narrow columns = new Narrow(schema);
    private final List<Applied> calls = new ArrayList<>();
    private final Chunk one;
    private final UnsafeRow keyRow = new UnsafeRow(alike.size());
    private final SpecificInternalRow results;
    private final JoinedRow joined;
    private Keys keys = new Keys();
    private int next;
    private long taken;
    private boolean passes;

    Combined(Iterator<InternalRow> rows) {
      this.rows = rows;
      List<DataType> types = new ArrayList<>();
      for (Spec.Call call : Spec.parse(spec).combine()) {
        calls.add(Applied.of(call, columns, calls.size(), false, true, List.of()));
        types.add(schema.apply(call.args().get(0)).dataType());
      }
      one = new Chunk(columns.types(), 1);
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
      keys = new Keys();
      next = 0;
      while (rows.hasNext() && keys.slots() < MOST) {
        UnsafeRow row = (UnsafeRow) rows.next();
        int slot = keys.slot(key.apply(row));
        taken++;
        columns.read(row, one, 0);
        for (Applied call : calls) {
          call.aggregate.grow(slot + 1);
          call.aggregate.add(slot, one, 0);
        }
        if (taken == TRIED && keys.slots() > taken / 4 * 3) {
          passes = true;
          break;
        }
      }
      calls.forEach(call -> call.begin(keys.slots(), 1));
    }

    @Override public boolean hasNext() {
      if (next == keys.slots() && rows.hasNext() && !passes) {
        fill();
      }
      return next < keys.slots() || passes && rows.hasNext();
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
      next++;
      return joined;
    }
  }
}
