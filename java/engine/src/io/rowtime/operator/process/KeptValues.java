package io.rowtime.operator.process;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Serializes values of states, with their types: those that {@link io.rowtime.api.InputRow} lists, and lists and maps
 * of them.
 */
final class KeptValues {
  private KeptValues() {}

  /** @throws IllegalArgumentException if state cannot contain the value */
  static void check(Object value) {
    boolean simple = value instanceof Long || value instanceof Integer || value instanceof String || value instanceof Double
        || value instanceof Boolean || value instanceof Instant;
    if (!simple) {
      write(value, new Output());
    }
  }

  static void write(Object value, Output to) {
    if (value == null) {
      to.number(0);
    } else if (value instanceof Boolean flag) {
      to.number(1);
      to.flag(flag);
    } else if (value instanceof Byte number) {
      to.number(2);
      to.number(number);
    } else if (value instanceof Short number) {
      to.number(3);
      to.number(number);
    } else if (value instanceof Integer number) {
      to.number(4);
      to.number(number);
    } else if (value instanceof Long number) {
      to.number(5);
      to.number(number);
    } else if (value instanceof Float number) {
      to.number(6);
      to.fixedLong(Float.floatToRawIntBits(number));
    } else if (value instanceof Double number) {
      to.number(7);
      to.fixedLong(Double.doubleToRawLongBits(number));
    } else if (value instanceof BigDecimal number) {
      to.number(8);
      to.number(number.scale());
      to.bytes(number.unscaledValue().toByteArray());
    } else if (value instanceof String text) {
      to.number(9);
      to.bytes(text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof byte[] bytes) {
      to.number(10);
      to.bytes(bytes);
    } else if (value instanceof Instant at) {
      to.number(11);
      to.number(at.getEpochSecond());
      to.number(at.getNano());
    } else if (value instanceof LocalDate date) {
      to.number(12);
      to.number(date.toEpochDay());
    } else if (value instanceof LocalTime time) {
      to.number(13);
      to.number(time.toNanoOfDay());
    } else if (value instanceof Duration length) {
      to.number(14);
      to.number(length.getSeconds());
      to.number(length.getNano());
    } else if (value instanceof Period length) {
      to.number(15);
      to.number(length.getYears());
      to.number(length.getMonths());
      to.number(length.getDays());
    } else if (value instanceof List<?> list) {
      to.number(16);
      to.number(list.size());
      list.forEach(element -> write(element, to));
    } else if (value instanceof Map<?, ?> map) {
      to.number(17);
      to.number(map.size());
      map.forEach((key, element) -> {
        write(key, to);
        write(element, to);
      });
    } else {
      throw new IllegalArgumentException("a state cannot keep values of class " + value.getClass().getName());
    }
  }

  static Object read(Input from) {
    int kind = from.count();
    return switch (kind) {
      case 0 -> null;
      case 1 -> from.flag();
      case 2 -> (byte) from.number();
      case 3 -> (short) from.number();
      case 4 -> (int) from.number();
      case 5 -> from.number();
      case 6 -> Float.intBitsToFloat((int) from.fixedLong());
      case 7 -> Double.longBitsToDouble(from.fixedLong());
      case 8 -> {
        int scale = (int) from.number();
        yield new BigDecimal(new BigInteger(from.bytes()), scale);
      }
      case 9 -> new String(from.bytes(), StandardCharsets.UTF_8);
      case 10 -> from.bytes();
      case 11 -> {
        long seconds = from.number();
        yield Instant.ofEpochSecond(seconds, from.number());
      }
      case 12 -> LocalDate.ofEpochDay(from.number());
      case 13 -> LocalTime.ofNanoOfDay(from.number());
      case 14 -> {
        long seconds = from.number();
        yield Duration.ofSeconds(seconds, from.number());
      }
      case 15 -> {
        int years = (int) from.number();
        int months = (int) from.number();
        yield Period.of(years, months, (int) from.number());
      }
      case 16 -> {
        int size = from.count();
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          list.add(read(from));
        }
        yield list;
      }
      case 17 -> {
        int size = from.count();
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
          Object key = read(from);
          map.put(key, read(from));
        }
        yield map;
      }
      default -> throw new IllegalStateException("The state was written by another version of rowtime: a value of kind " + kind);
    };
  }
}
