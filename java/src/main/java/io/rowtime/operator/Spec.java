package io.rowtime.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.operator.over.OverOperator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;

/**
 * What is asked of the operators, read from JSON; {@link OverOperator#over} describes it.
 *
 * @param time column that orders rows, a timestamp; null where only closing partitions are asked for
 * @param watermark column with the same time in the domain of the query's watermark
 * @param seq column that orders rows of one time; null for the order of arrival
 * @param maxDisorder a row with value v in the watermark column proves that no row of a later batch is below
 *     v − maxDisorder; null where rows prove nothing
 * @param closes column with the time, in the watermark's domain, when the row's partition is complete
 * @param hop the windows of a GROUP BY, whose calls are those of the only one of {@code windows}; null for others
 * @param group a GROUP BY of another kind; null for others
 * @param combine by which calls rows that are alike otherwise are combined before they are shuffled, each of its only
 *     argument, which it takes the place of; of a GROUP BY, and empty where they are not
 */
public record Spec(List<String> partition, String time, String watermark, String seq, boolean disordered, Long maxDisorder,
    String closes, List<Window> windows, Hop hop, Group group, List<Call> combine) {
  private static final Set<String> FIELDS = Set.of("partition", "time", "watermark", "seq", "disordered", "maxDisorder",
      "closes", "windows", "hop", "group", "combine");

  public enum Kind { UNBOUNDED_PRECEDING, PRECEDING, CURRENT_ROW, FOLLOWING, UNBOUNDED_FOLLOWING }

  /** One end of a frame; offset in microseconds, rows or units of the order key, null where the kind has none. */
  public record Bound(Kind kind, BigDecimal offset) {
    /** How far behind the current row (below 0: before it) the end is; 0 for the row itself. */
    public long distance() {
      return switch (kind) {
        case PRECEDING -> -offset.longValueExact();
        case FOLLOWING -> offset.longValueExact();
        default -> 0;
      };
    }

    public boolean isUnbounded() {
      return kind == Kind.UNBOUNDED_PRECEDING || kind == Kind.UNBOUNDED_FOLLOWING;
    }
  }

  public record Order(String column, boolean descending, boolean nullsFirst) {}

  public record Call(String name, String function, List<String> args, List<JsonNode> constants, boolean distinct,
      boolean ignoreNulls, String filter, DataType type) {
    /** How many rows LAG or LEAD look away. */
    public int offset() {
      return constants.isEmpty() ? 1 : constants.get(0).asInt();
    }

    /** The same without arguments. */
    public Call ofRows() {
      return new Call(name, function, List.of(), constants, distinct, ignoreNulls, filter, type);
    }

    /** The same over all rows. */
    public Call withRepeats() {
      return new Call(name, function, args, constants, false, ignoreNulls, filter, type);
    }
  }

  public record Window(List<Order> order, boolean rows, Bound lower, Bound upper, List<Call> calls) {
    public Window withCalls(List<Call> others) {
      return new Window(order, rows, lower, upper, others);
    }
  }

  /**
   * Windows that begin at every {@code slide}, one of them at {@code offset}; in microseconds.
   *
   * @param early whether a window may come out as soon as the rows of its own task prove that it is over, though windows
   *     of other tasks that end before it may come out in a later batch
   */
  public record Hop(long slide, long size, long offset, BoundClock clock, boolean early) {}

  /**
   * A GROUP BY whose keys tell when a group is complete, or one of sessions; the calls are those of the only window.
   *
   * @param keys the columns that rows are grouped by, of which {@code partition} may be a part
   * @param early as of {@link Hop}
   * @param gap how far apart, in microseconds, rows of a session are at most; null where there are none
   */
  public record Group(List<String> keys, boolean early, Long gap) {}

  /** Of OVER. */
  public Spec(List<String> partition, String time, String watermark, String seq, boolean disordered, Long maxDisorder,
      String closes, List<Window> windows) {
    this(partition, time, watermark, seq, disordered, maxDisorder, closes, windows, null, null, List.of());
  }

  public static Spec parse(String json) {
    JsonNode spec;
    try {
      spec = new ObjectMapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("No JSON: " + json, e);
    }
    spec.fieldNames().forEachRemaining(field -> {
      if (!FIELDS.contains(field)) {
        throw new IllegalArgumentException("Unknown field " + field + ": " + json);
      }
    });
    boolean disordered = spec.path("disordered").asBoolean();
    Long maxDisorder = disordered ? null : (Long) 0L;
    if (spec.path("maxDisorder").isNumber()) {
      maxDisorder = spec.get("maxDisorder").asLong();
    }
    List<Window> windows = new ArrayList<>();
    spec.get("windows").forEach(window -> windows.add(window(window)));
    return new Spec(texts(spec.get("partition")), text(spec, "time"), text(spec, "watermark"), text(spec, "seq"),
        disordered, maxDisorder, text(spec, "closes"), windows, hop(spec.path("hop")), group(spec.path("group")),
        calls(spec.path("combine")));
  }

  private static Group group(JsonNode group) {
    return group.isObject() ? new Group(texts(group.get("keys")), group.path("early").asBoolean(),
        group.path("gap").isNumber() ? (Long) group.get("gap").asLong() : null) : null;
  }

  private static Hop hop(JsonNode hop) {
    return hop.isObject() ? new Hop(hop.get("slide").asLong(), hop.get("size").asLong(), hop.get("offset").asLong(),
        BoundClock.parse(hop.get("clock")), hop.path("early").asBoolean()) : null;
  }

  private static Window window(JsonNode window) {
    List<Order> order = new ArrayList<>();
    window.path("order").forEach(key -> order.add(
        new Order(text(key, "column"), key.path("descending").asBoolean(), key.path("nullsFirst").asBoolean())));
    return new Window(order, window.path("rows").asBoolean(), bound(window.get("lower")), bound(window.get("upper")),
        calls(window.get("calls")));
  }

  private static List<Call> calls(JsonNode described) {
    List<Call> calls = new ArrayList<>();
    described.forEach(call -> calls.add(call(call)));
    return calls;
  }

  private static Bound bound(JsonNode bound) {
    JsonNode offset = bound.path("offset");
    return new Bound(Kind.valueOf(text(bound, "kind")), offset.isNumber() ? offset.decimalValue()
        : offset.isTextual() ? new BigDecimal(offset.asText()) : null);
  }

  private static Call call(JsonNode call) {
    List<JsonNode> constants = new ArrayList<>();
    call.path("constants").forEach(constants::add);
    return new Call(text(call, "name"), text(call, "function"), texts(call.path("args")), constants,
        call.path("distinct").asBoolean(), call.path("ignoreNulls").asBoolean(), text(call, "filter"),
        DataType.fromDDL(text(call, "type")));
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isTextual() ? value.asText() : null;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
