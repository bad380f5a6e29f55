package io.rowtime.state.values;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;

/** A growable column of values of one type. */
public final class Values {
  public final ValueType type;
  private long[] longs;
  private Object[] objects;
  /** Null if no value is NULL. */
  private boolean[] nulls;

  public Values(ValueType type, int capacity) {
    this.type = type;
    if (type.isObject()) {
      objects = new Object[capacity];
    } else {
      longs = new long[capacity];
    }
  }

  public boolean isNull(int at) {
    return objects != null ? objects[at] == null : nulls != null && nulls[at];
  }

  public long getLong(int at) {
    return longs[at];
  }

  public Object getObject(int at) {
    return objects[at];
  }

  public void setLong(int at, long value) {
    room(at);
    longs[at] = value;
    if (nulls != null) {
      nulls[at] = false;
    }
  }

  public void setObject(int at, Object value) {
    room(at);
    objects[at] = value;
  }

  /** Sets a value from Spark's internal form; it is copied if it may change there. */
  public void setInternal(int at, Object value) {
    if (objects != null) {
      setObject(at, type.keptObject(value));
    } else {
      setLong(at, type.keptLong(value));
    }
  }

  public void setNull(int at) {
    room(at);
    if (objects != null) {
      objects[at] = null;
      return;
    }
    if (nulls == null) {
      nulls = new boolean[longs.length];
    }
    nulls[at] = true;
  }

  /** Copies a value from a column of the same type. */
  public void set(int at, Values from, int row) {
    if (from.isNull(row)) {
      setNull(at);
    } else if (objects != null) {
      setObject(at, from.objects[row]);
    } else {
      setLong(at, from.longs[row]);
    }
  }

  public void read(int at, SpecializedGetters row, int ordinal) {
    if (row.isNullAt(ordinal)) {
      setNull(at);
    } else if (objects != null) {
      setObject(at, type.readObject(row, ordinal));
    } else {
      setLong(at, type.readLong(row, ordinal));
    }
  }

  public void write(int at, InternalRow to, int ordinal) {
    if (isNull(at)) {
      to.setNullAt(ordinal);
    } else if (objects != null) {
      type.write(to, ordinal, objects[at]);
    } else {
      type.write(to, ordinal, longs[at]);
    }
  }

  /** Compares two values; NULL is first. */
  public int compare(int left, Values other, int right) {
    boolean leftNull = isNull(left);
    boolean rightNull = other.isNull(right);
    if (leftNull || rightNull) {
      return Boolean.compare(rightNull, leftNull);
    }
    return objects != null ? type.compare(objects[left], other.objects[right])
        : Long.compare(longs[left], other.longs[right]);
  }

  /** Returns the value as a key for hash maps; null for NULL. */
  public Object key(int at) {
    if (isNull(at)) {
      return null;
    }
    return objects == null ? (Object) longs[at]
        : objects[at] instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : objects[at];
  }

  /** Returns the object that such a key represents. */
  static Object ofKey(Object key) {
    return key instanceof ByteBuffer bytes ? bytes.array() : key;
  }

  /** Returns the first values as a Spark array; there must be no NULLs. */
  public ArrayData toArray(int count) {
    Object[] array = new Object[count];
    for (int i = 0; i < count; i++) {
      array[i] = objects != null ? type.internal(objects[i]) : type.internal(longs[i]);
    }
    return new GenericArrayData(array);
  }

  public Values slice(int from, int to) {
    Values part = new Values(type, 0);
    if (objects != null) {
      part.objects = Arrays.copyOfRange(objects, from, to);
    } else {
      part.longs = Arrays.copyOfRange(longs, from, to);
      part.nulls = nulls == null ? null : Arrays.copyOfRange(nulls, from, to);
    }
    return part;
  }

  public void save(int at, Output to) {
    boolean isNull = isNull(at);
    to.flag(isNull);
    if (isNull) {
      return;
    }
    if (objects != null) {
      to.bytes(type.toBytes(objects[at]));
    } else if (type.isFloating()) {
      to.fixedLong(longs[at]);
    } else {
      to.number(longs[at]);
    }
  }

  public void load(int at, Input from) {
    if (from.flag()) {
      setNull(at);
    } else if (objects != null) {
      setObject(at, type.fromBytes(from.bytes()));
    } else {
      setLong(at, type.isFloating() ? from.fixedLong() : from.number());
    }
  }

  private void room(int at) {
    if (at < (objects != null ? objects.length : longs.length)) {
      return;
    }
    int capacity = Math.max(at + 1, at * 2);
    if (objects != null) {
      objects = Arrays.copyOf(objects, capacity);
    } else {
      longs = Arrays.copyOf(longs, capacity);
      nulls = nulls == null ? null : Arrays.copyOf(nulls, capacity);
    }
  }
}
