package io.rowtime.functions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * IN with a list of constants, or of rows of constants, none of which is NULL. A value is looked up in a set, and the
 * list is no part of Spark's plan, which would be copied and printed with it.
 */
public final class InList implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MICROS_PER_MILLI = 1000;

  /** The lists that tasks of this process have read. */
  private static final Cache<InList, Values> READ = CacheBuilder.newBuilder().maximumSize(32).softValues().build();

  private final String list;
  private final StructType types;
  private transient Values values;

  /**
   * @param list the constants as a JSON array, row by row, in the form of the plan contract
   * @param types Spark's types of the columns of a row
   */
  InList(String list, StructType types) {
    this.list = list;
    this.types = types;
  }

  /** The rows of a list; one of a single column is its value. */
  private record Values(Set<Object> rows, Map<Integer, Set<Object>> partial) {}

  /**
   * Returns whether the list contains a row; null if it cannot be known because the row has a NULL where one of the list
   * that is otherwise equal has a value.
   */
  public Boolean contains(InternalRow row) {
    if (values == null) {
      try {
        values = READ.get(this, this::read);
      } catch (ExecutionException e) {
        throw new IllegalStateException("The list of IN cannot be read", e);
      }
    }
    int nulls = 0;
    List<Object> fields = new ArrayList<>(types.length());
    for (int i = 0; i < types.length(); i++) {
      if (row.isNullAt(i)) {
        nulls |= 1 << i;
      } else {
        fields.add(key(row, i, types.apply(i).dataType()));
      }
    }
    if (nulls == 0) {
      return values.rows.contains(types.length() == 1 ? fields.get(0) : fields);
    }
    return fields.isEmpty() || without(nulls).contains(fields) ? null : Boolean.FALSE;
  }

  /** Returns the rows of the list without the columns of a mask. */
  private Set<Object> without(int columns) {
    return values.partial.computeIfAbsent(columns, mask -> {
      Set<Object> found = new HashSet<>();
      for (Object row : values.rows) {
        List<Object> left = new ArrayList<>();
        for (int i = 0; i < types.length(); i++) {
          if ((mask >> i & 1) == 0) {
            left.add(((List<?>) row).get(i));
          }
        }
        found.add(left);
      }
      return found;
    });
  }

  private Values read() throws JsonProcessingException {
    JsonNode all = JSON.readTree(list);
    Set<Object> rows = new HashSet<>(all.size() * 2);
    List<Object> row = new ArrayList<>();
    for (JsonNode constant : all) {
      row.add(constant(constant.asText(), types.apply(row.size()).dataType()));
      if (row.size() == types.length()) {
        rows.add(row.size() == 1 ? row.get(0) : row);
        row = new ArrayList<>();
      }
    }
    return new Values(rows, new ConcurrentHashMap<>());
  }

  /** Returns a value in a form in which equal values are equal objects. */
  private static Object key(InternalRow row, int column, DataType type) {
    if (type instanceof DecimalType decimal) {
      Decimal value = row.getDecimal(column, decimal.precision(), decimal.scale());
      return value.toJavaBigDecimal().setScale(decimal.scale());
    }
    Object value = row.get(column, type);
    if (value instanceof Double || value instanceof Float) {
      // 0.0 and -0.0 are equal.
      return ((Number) value).doubleValue() + 0.0;
    }
    return value instanceof Number number ? number.longValue() : value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }

  private static Object constant(String text, DataType type) {
    if (type instanceof StringType) {
      return UTF8String.fromString(text);
    } else if (type instanceof BooleanType) {
      return Boolean.valueOf(text);
    } else if (type instanceof DecimalType decimal) {
      return new BigDecimal(text).setScale(decimal.scale());
    } else if (type instanceof DoubleType || type instanceof FloatType) {
      return (type instanceof FloatType ? Float.parseFloat(text) : Double.parseDouble(text)) + 0.0;
    } else if (type instanceof DateType) {
      return LocalDate.parse(text).toEpochDay();
    } else if (type instanceof TimestampType) {
      return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli() * MICROS_PER_MILLI;
    } else if (type instanceof TimeType) {
      return LocalTime.parse(text).toNanoOfDay();
    } else if (type instanceof DayTimeIntervalType) {
      return Long.parseLong(text) * MICROS_PER_MILLI;
    } else if (type instanceof BinaryType) {
      return ByteBuffer.wrap(ByteString.of(text, 16).getBytes());
    }
    return Long.valueOf(text);
  }

  @Override public boolean equals(Object other) {
    return other instanceof InList o && list.equals(o.list) && types.equals(o.types);
  }

  @Override public int hashCode() {
    return list.hashCode();
  }

  /** Spark prints it in its plans. */
  @Override public String toString() {
    return list.length() <= 100 ? list : list.substring(0, 100) + "…";
  }
}
