package io.rowtime.operator;

import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Random rows and random windows over them. */
public final class Cases {
  private final Random random;

  public Cases(Random random) {
    this.random = random;
  }

  /** Rows in arrival order; if {@code disorder} is above 0, some arrive that much later than others. */
  public List<Item> rows(int count, long disorder, long period) {
    record Arriving(long time, long arrival) {}
    List<Arriving> times = new ArrayList<>();
    long time = 10_000;
    for (int i = 0; i < count; i++) {
      time += random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(20) == 0 ? 200 : 8);
      times.add(new Arriving(time, time + (disorder == 0 ? 0 : random.nextLong(disorder + 1))));
    }
    times.sort(Comparator.comparingLong(Arriving::arrival));
    int keys = 1 + random.nextInt(6);
    boolean special = random.nextInt(4) == 0;
    List<Item> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Integer key = random.nextInt(20) == 0 ? null : (Integer) random.nextInt(keys);
      long at = times.get(i).time();
      rows.add(new Item(i, key, random.nextInt(3) == 0 ? "a" : null, at, 7L * i,
          period == 0 ? null : (Long) (Math.floorDiv(at, period) * period + period), values(special)));
    }
    return rows;
  }

  private Object[] values(boolean special) {
    double d = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(20) - 6);
    if (special && random.nextInt(10) == 0) {
      double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.7e308, -1.7e308, 1e-320, 0.0};
      d = odd[random.nextInt(odd.length)];
    }
    Object[] values = {random.nextInt(20) - 10, random.nextLong() >> 8 + random.nextInt(50), d,
        (float) (random.nextInt(100) / 8.0), BigDecimal.valueOf(random.nextInt(100_000) - 50_000, 2),
        new BigDecimal(new java.math.BigInteger(80, random), 4), "s" + random.nextInt(30), random.nextBoolean()};
    for (int i = 0; i < values.length; i++) {
      if (random.nextInt(6) == 0) {
        values[i] = null;
      }
    }
    return values;
  }

  public Bound bound(Bound.Kind kind, long offset) {
    boolean has = kind == Bound.Kind.PRECEDING || kind == Bound.Kind.FOLLOWING;
    return new Bound(kind, has ? BigDecimal.valueOf(offset) : null);
  }

  /** A RANGE frame over time, which sometimes looks ahead. */
  public Window range(List<Call> calls, boolean unbounded) {
    long[] offsets = {0, 1, 5, 20, 100, 1000};
    Bound lower = switch (random.nextInt(unbounded ? 5 : 4)) {
      case 0 -> bound(Bound.Kind.CURRENT_ROW, 0);
      case 1, 2 -> bound(Bound.Kind.PRECEDING, 1000 * offsets[random.nextInt(offsets.length)]);
      case 3 -> random.nextInt(4) > 0 ? bound(Bound.Kind.PRECEDING, 20_000) : bound(Bound.Kind.FOLLOWING, 5_000);
      default -> bound(Bound.Kind.UNBOUNDED_PRECEDING, 0);
    };
    Bound upper = switch (random.nextInt(5)) {
      case 0, 1 -> bound(Bound.Kind.CURRENT_ROW, 0);
      case 2 -> bound(Bound.Kind.PRECEDING, 0);
      case 3 -> bound(Bound.Kind.PRECEDING, 1000 * offsets[random.nextInt(offsets.length)]);
      default -> bound(Bound.Kind.FOLLOWING, 1000 * offsets[random.nextInt(offsets.length)]);
    };
    return new Window(List.of(new Order("t", false, true)), false, lower, upper, calls);
  }

  /** A ROWS frame, which sometimes looks ahead. */
  public Window rows(List<Call> calls, List<Order> order, boolean unbounded) {
    int[] offsets = {0, 1, 2, 5, 150};
    Bound.Kind[] kinds = {Bound.Kind.PRECEDING, Bound.Kind.PRECEDING, Bound.Kind.CURRENT_ROW, Bound.Kind.FOLLOWING};
    Bound lower = unbounded && random.nextInt(3) == 0 ? bound(Bound.Kind.UNBOUNDED_PRECEDING, 0)
        : bound(kinds[random.nextInt(4)], offsets[random.nextInt(5)]);
    Bound upper = random.nextInt(3) > 0 ? bound(Bound.Kind.CURRENT_ROW, 0)
        : bound(kinds[random.nextInt(4)], offsets[random.nextInt(4)]);
    return new Window(order, true, lower, upper, calls);
  }

  /** A function without a frame. */
  public Call ranking(String name) {
    String function = new String[] {"ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD"}[random.nextInt(5)];
    if (!function.startsWith("L")) {
      return new Call(name, function, List.of(), "BIGINT");
    }
    long number = 1L + random.nextInt(3);
    List<String> args = random.nextBoolean() ? List.of("s") : List.of("i", "id");
    return new Call(name, function, args, number, null, null, false, function.equals("LAG") && random.nextBoolean(), null,
        Item.SCHEMA.apply(args.get(0)).dataType().sql());
  }

  /** Calls of functions that support every frame. */
  public List<Call> calls(String prefix, String[] functions, boolean isSmall) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      calls.add(call(prefix + i, functions[random.nextInt(functions.length)], !isSmall));
    }
    return calls;
  }

  private Call call(String name, String function, boolean mayBeDistinct) {
    String[] numbers = {"i", "l", "d", "f", "dec", "big"};
    boolean numeric = function.equals("SUM") || function.equals("MEDIAN") || function.equals("PERCENTILE_CONT")
        || function.startsWith("VAR") || function.startsWith("STDDEV");
    String column = function.startsWith("VAR") || function.startsWith("STDDEV") ? random.nextBoolean() ? "i" : "f"
        : function.equals("LISTAGG") ? "s" : numeric ? numbers[random.nextInt(numbers.length)]
        : Item.COLUMNS[random.nextInt(Item.COLUMNS.length)];
    String type = switch (function) {
      case "COUNT" -> "BIGINT";
      case "SUM" -> switch (column) {
        case "d", "f" -> "DOUBLE";
        case "dec" -> "DECIMAL(20,2)";
        case "big" -> "DECIMAL(38,4)";
        default -> "BIGINT";
      };
      case "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP", "MEDIAN", "PERCENTILE_CONT" -> "DOUBLE";
      case "COLLECT" -> "ARRAY<" + Item.SCHEMA.apply(column).dataType().sql() + ">";
      default -> Item.SCHEMA.apply(column).dataType().sql();
    };
    List<String> args = function.equals("COUNT") && random.nextBoolean() ? List.of() : List.of(column);
    boolean nulls = function.endsWith("_VALUE") && random.nextBoolean();
    Long number = function.equals("NTH_VALUE") ? (Long) (1L + random.nextInt(3)) : null;
    Double fraction = function.startsWith("PERCENTILE") ? (Double) (random.nextInt(5) / 4.0) : null;
    String separator = function.equals("LISTAGG") ? "; " : null;
    boolean distinct = mayBeDistinct && !function.endsWith("_VALUE") && !args.isEmpty() && random.nextInt(4) == 0;
    return new Call(name, function, args, number, fraction, separator, distinct, nulls,
        random.nextInt(4) == 0 ? "ok" : null, type);
  }
}
