package io.rowtime.operator.over;

import io.rowtime.operator.Item;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.Window;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The semantics of OVER, literally: evaluates every call over every frame, from all rows. */
final class Model {
  private Model() {}

  /** Returns the value of a call for a row, over the rows of its partition in the window's order. */
  static Object evaluate(Window window, Call call, List<Item> rows, int current) {
    switch (call.function()) {
      case "ROW_NUMBER":
        return (long) current + 1;
      case "RANK":
        return 1L + rows.subList(0, current).stream().filter(row -> !arePeers(window, row, rows.get(current))).count();
      case "DENSE_RANK":
        return 1L + IntStream.range(0, current).filter(i -> !arePeers(window, rows.get(i), rows.get(i + 1))).count();
      case "PERCENT_RANK":
        return rows.size() == 1 ? 0.0
            : rows.subList(0, current).stream().filter(row -> !arePeers(window, row, rows.get(current))).count()
                / (double) (rows.size() - 1);
      case "CUME_DIST":
        return IntStream.range(0, rows.size()).filter(i -> i <= current || arePeers(window, rows.get(i), rows
            .get(current)))
            .count() / (double) rows.size();
      case "NTILE":
        return tile(current, rows.size(), call.number().intValue());
      case "LAG", "LEAD":
        return shifted(call, rows, current);
      default:
    }
    List<Item> frame = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (isIn(window, rows, current, i) && (call.filter() == null || Boolean.TRUE.equals(rows.get(i)
          .value(call.filter())))) {
        frame.add(rows.get(i));
      }
    }
    List<Object> values = new ArrayList<>();
    if (!call.args().isEmpty()) {
      frame.forEach(item -> values.add(item.value(call.args().get(0))));
    }
    List<Object> some = new ArrayList<>(values);
    some.removeIf(Objects::isNull);
    if (call.distinct()) {
      some = new ArrayList<>(new LinkedHashSet<>(some));
    }
    List<Object> chosen = call.ignoreNulls() ? some : values;
    int number = call.number() == null ? 1 : call.number().intValue();
    return switch (call.function()) {
      case "COUNT" -> (long) (call.args().isEmpty() ? frame.size() : some.size());
      case "SUM" -> sum(some);
      case "MIN" -> some.isEmpty() ? null : some.stream().min(Model::compare).get();
      case "MAX" -> some.isEmpty() ? null : some.stream().max(Model::compare).get();
      case "FIRST_VALUE" -> chosen.isEmpty() ? null : chosen.get(0);
      case "NTH_VALUE" -> chosen.size() < number ? null : chosen.get(number - 1);
      case "LAST_VALUE" -> chosen.isEmpty() ? null : chosen.get(chosen.size() - 1);
      case "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP" -> variance(call.function(), some);
      case "MEDIAN" -> percentile(some, 0.5, true);
      case "PERCENTILE_CONT" -> percentile(some, call.fraction(), true);
      case "PERCENTILE_DISC" -> percentile(some, call.fraction(), false);
      case "COLLECT" -> some;
      case "LISTAGG" -> some.isEmpty() ? null
          : some.stream().map(String::valueOf).collect(Collectors.joining(call.separator()));
      default -> throw new AssertionError(call.function());
    };
  }

  private static Object percentile(List<Object> values, double fraction, boolean interpolates) {
    List<Object> sorted = values.stream().sorted(Model::compare).toList();
    if (sorted.isEmpty()) {
      return null;
    } else if (!interpolates) {
      return sorted.get((int) Math.max(1, Math.ceil(sorted.size() * fraction)) - 1);
    }
    double position = (sorted.size() - 1) * fraction;
    double low = ((Number) sorted.get((int) Math.floor(position))).doubleValue();
    double high = ((Number) sorted.get((int) Math.ceil(position))).doubleValue();
    return low == high ? low : low * (Math.ceil(position) - position) + high * (position - Math.floor(position));
  }

  private static long tile(int current, int rows, int tiles) {
    int row = 0;
    for (int tile = 0; ; tile++) {
      row += rows / tiles + (tile < rows % tiles ? 1 : 0);
      if (current < row) {
        return tile + 1L;
      }
    }
  }

  private static boolean arePeers(Window window, Item left, Item right) {
    return window.order().stream().allMatch(key -> compare(key, left, right) == 0);
  }

  private static Object shifted(Call call, List<Item> rows, int current) {
    int step = call.function().equals("LAG") ? -1 : 1;
    long left = call.number();
    for (int i = current + step; i >= 0 && i < rows.size(); i += step) {
      Object value = rows.get(i).value(call.args().get(0));
      if ((value != null || !call.ignoreNulls()) && --left == 0) {
        return value;
      }
    }
    return call.args().size() > 1 ? rows.get(current).value(call.args().get(1)) : null;
  }

  static Comparator<Item> order(Window window) {
    Comparator<Item> order = (unusedLeft, unusedRight) -> 0;
    for (Order key : window.order()) {
      order = order.thenComparing((left, right) -> compare(key, left, right));
    }
    return order.thenComparing(Item::time).thenComparing(Item::seq);
  }

  static int compare(Order key, Item left, Item right) {
    Object a = left.value(key.column());
    Object b = right.value(key.column());
    if (a == null || b == null) {
      int nulls = Boolean.compare(b == null, a == null);
      return key.nullsFirst() ? nulls : -nulls;
    }
    return key.descending() ? compare(b, a) : compare(a, b);
  }

  private static boolean isIn(Window window, List<Item> rows, int current, int row) {
    Bound lower = window.lower();
    Bound upper = window.upper();
    if (window.rows()) {
      return (lower.isUnbounded() || row - current >= lower.distance())
          && (upper.isUnbounded() || row - current <= upper.distance());
    }
    boolean above = lower.isUnbounded() || side(window, rows, current, row, lower) >= 0;
    boolean below = upper.isUnbounded() || (upper.kind() == Bound.Kind.CURRENT_ROW ? row <= current
        : side(window, rows, current, row, upper) <= 0);
    return above && below;
  }

  /** Returns a negative number for a row before the end of the current row's frame. */
  private static int side(Window window, List<Item> rows, int current, int row, Bound end) {
    if (end.offset() == null || end.offset().signum() == 0) {
      return arePeers(window, rows.get(current), rows.get(row)) ? 0 : row - current;
    }
    Order key = window.order().get(0);
    Object a = rows.get(current).value(key.column());
    Object b = rows.get(row).value(key.column());
    if (a == null || b == null) {
      return a == b ? 0 : row - current;
    }
    BigDecimal distance = decimal(b).subtract(decimal(a));
    distance = key.descending() ? distance.negate() : distance;
    return distance.compareTo(end.kind() == Bound.Kind.PRECEDING ? end.offset().negate() : end.offset());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(Object left, Object right) {
    return ((Comparable) left).compareTo(right);
  }

  private static Object sum(List<Object> values) {
    if (values.isEmpty()) {
      return null;
    }
    Object first = values.get(0);
    if (first instanceof Double || first instanceof Float) {
      double plain = values.stream().mapToDouble(value -> ((Number) value).doubleValue()).sum();
      return Double.isNaN(plain) || Double.isInfinite(plain) ? (Object) plain : exact(values).doubleValue();
    }
    BigDecimal sum = exact(values);
    return first instanceof BigDecimal ? sum : (Object) sum.longValueExact();
  }

  private static BigDecimal exact(List<Object> values) {
    return values.stream().map(Model::decimal).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof BigDecimal decimal ? decimal
        : value instanceof Double || value instanceof Float ? new BigDecimal(((Number) value).doubleValue())
        : BigDecimal.valueOf(((Number) value).longValue());
  }

  private static Object variance(String function, List<Object> values) {
    int divisor = function.endsWith("SAMP") ? values.size() - 1 : values.size();
    if (divisor <= 0) {
      return null;
    }
    if (values.stream().anyMatch(value -> Double.isNaN(((Number) value).doubleValue())
        || Double.isInfinite(((Number) value).doubleValue()))) {
      return Double.NaN;
    }
    BigDecimal squares = values.stream().map(Model::decimal).map(value -> value.multiply(value))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
    BigDecimal sum = exact(values);
    BigDecimal spread = squares.subtract(sum.multiply(sum).divide(BigDecimal.valueOf(values.size()),
        new MathContext(60)));
    double variance = spread.divide(BigDecimal.valueOf(divisor), new MathContext(40,
        RoundingMode.HALF_EVEN)).doubleValue();
    return function.startsWith("STDDEV") ? Math.sqrt(Math.max(0, variance)) : Math.max(0, variance);
  }
}
