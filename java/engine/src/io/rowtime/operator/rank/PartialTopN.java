package io.rowtime.operator.rank;

import io.rowtime.operator.KeyEquality;
import io.rowtime.operator.MapSideColumns;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A partial Top-N: keeps the rows of a task that are among the first ones of their partition in that task; no other row
 * can be among the first ones overall. If most rows are, they pass through unchanged.
 *
 * <p>It receives the values of a row in groups: its partition columns, the columns that order rows, and last all
 * columns, which are put together only if the row is kept.
 */
public final class PartialTopN extends MapSideColumns {
  private static final long serialVersionUID = 1L;

  /** The maximum number of rows in memory, and of their bytes; tests use fewer rows. */
  static int most = 1 << 17;
  private static final long MAX_BYTES = 32 << 20;
  /** The number of rows after which it is decided whether this pays off. */
  static int tried = 1 << 15;

  private final TopNSpec spec;
  private final StructType schema;
  private final List<String> order;
  private transient Taken rows;

  /** @param id the id of the operator, which must be unique */
  PartialTopN(String id, TopNSpec spec, StructType schema) {
    super(id);
    this.spec = spec;
    this.schema = schema;
    order = spec.order().stream().map(Order::column).distinct().toList();
  }

  /** Returns the expressions of the values to pass in, for a row whose columns are {@code columns}. */
  List<Expression> inputs(List<Expression> columns) {
    List<Expression> given = new ArrayList<>();
    Stream.of(spec.partition(), order, arrival()).flatMap(List::stream).forEach(name -> given.add(columns.get(schema.fieldIndex(name))));
    given.addAll(columns);
    return given;
  }

  private StructType keySchema() {
    return new StructType(spec.partition().stream().map(schema::apply).toArray(StructField[]::new));
  }

  /** Returns how many values identify the partition of a row. */
  int keys() {
    return spec.partition().size();
  }

  /** Returns how many values order rows, which are set one by one. */
  int ordering() {
    return order.size() + arrival().size();
  }

  private List<String> arrival() {
    return spec.seq() == null ? List.of(spec.time()) : List.of(spec.time(), spec.seq());
  }

  /** Returns whether the next row passes through unchanged. Must be called first for each row. */
  public boolean letsThrough() {
    if (rows == null) {
      rows = new Taken();
      register();
    }
    return rows.passes;
  }

  @Override protected Values values(int column) {
    return rows.values[column];
  }

  @Override protected int place() {
    return rows.first.incoming();
  }

  /**
   * Returns whether the next row, which has this partition and whose values have been set, may be among the first ones.
   */
  public boolean mayEnter(UnsafeRow key) {
    return rows.mayEnter(key);
  }

  /** Adds the row, after {@link #mayEnter}. */
  public void add(UnsafeRow row) {
    rows.first.add(rows.slot, row);
  }

  /** Returns whether there is no room for another row. Must be called after each row. */
  public boolean isFullNow() {
    return rows.check();
  }

  @Override public boolean isFull() {
    return rows.full;
  }

  @Override public Iterator<InternalRow> release() {
    return rows.release();
  }

  private final class Taken {
    private RankedRows first;
    private Values[] values;
    private final KeyEquality repeats = new KeyEquality(keySchema());
    private KeySlots keys;
    /** The slot of the latest row, or -1. */
    private int slot;
    private long taken;
    private boolean passes;
    private boolean full;

    Taken() {
      begin();
    }

    private void begin() {
      ValueType[] types = order.stream().map(name -> ValueType.of(schema.apply(name).dataType())).toArray(ValueType[]::new);
      int[] columns = spec.order().stream().mapToInt(key -> order.indexOf(key.column())).toArray();
      first = new RankedRows(spec, schema, schema, types, columns, number -> {});
      keys = new KeySlots();
      slot = -1;
      full = false;
      values = Arrays.copyOf(first.columns().columns, ordering());
      for (int i = types.length; i < values.length; i++) {
        values[i] = new Values(RankedRows.BIGINT, 64);
      }
    }

    boolean mayEnter(UnsafeRow key) {
      taken++;
      if (spec.limit() == 0) {
        return false;
      }
      if (slot < 0 || !repeats.isLike(key, keys.key(slot))) {
        slot = keys.slot(key);
        if (keys.created()) {
          first.grow(keys.slots());
        }
      }
      int incoming = first.incoming();
      return first.mayEnter(slot, number(order.size(), incoming), spec.seq() == null ? 0 : number(order.size() + 1, incoming));
    }

    private long number(int column, int at) {
      return values[column].isNull(at) ? 0 : values[column].getLong(at);
    }

    boolean check() {
      if (taken == tried && first.size() > taken / 4 * 3) {
        passes = true;
        full = true;
      }
      full |= first.size() >= most || first.bytes() >= MAX_BYTES;
      return full;
    }

    Iterator<InternalRow> release() {
      RankedRows released = first;
      UnsafeRow row = new UnsafeRow(schema.length());
      int count = released.numbers();
      begin();
      return new Iterator<>() {
        private int next = following(0);

        private int following(int number) {
          int found = number;
          while (found < count && released.slot(found) < 0) {
            found++;
          }
          return found;
        }

        @Override public boolean hasNext() {
          return next < count;
        }

        @Override public InternalRow next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          released.get(next, row);
          next = following(next + 1);
          return row;
        }
      };
    }
  }
}
