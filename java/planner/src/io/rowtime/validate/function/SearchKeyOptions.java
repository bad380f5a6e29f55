package io.rowtime.validate.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.time.Durations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.NlsString;

/**
 * The options of SEARCH_KEY, with defaults for missing ones. Times are in milliseconds.
 *
 * @param capacity how many statements an executor sends at once; 1 unless {@code async}
 * @param timeout how long a statement may take
 * @param batchSize how many keys a statement looks up at most
 * @param retries how often a key without a row is looked up again
 * @param delay the time between two attempts
 * @param cacheTtl how long an executor caches results; null to cache them only within a micro-batch
 * @param cacheRows how many rows it caches
 * @param cacheMisses whether it also caches that a key has no row
 * @param outage how long a query waits for a system that does not answer
 */
public record SearchKeyOptions(int capacity, long timeout, int batchSize, int retries, long delay, Long cacheTtl, int cacheRows,
    boolean cacheMisses, long outage) {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** Units that only these options know. */
  private static final Map<String, Long> UNITS = Map.of("milli", 1L, "millis", 1L, "secs", 1000L);
  private static final List<String> RETRY = List.of("retry-predicate", "retry-strategy", "fixed-delay", "max-attempts");
  private static final List<String> CACHE = List.of("cache-ttl", "cache-max-rows", "cache-missing-key");

  /** A description of the values of each option. */
  private static final Map<String, String> TAKES = new TreeMap<>(Map.ofEntries(
      Map.entry("async", "'true' or 'false'"), Map.entry("capacity", "a whole number from 1 to 100"),
      Map.entry("timeout", "a duration, such as '10s'"), Map.entry("batch-size", "a whole number from 1 to 1000"),
      Map.entry("retry-predicate", "'lookup_miss'"), Map.entry("retry-strategy", "'fixed_delay'"),
      Map.entry("fixed-delay", "a duration, such as '10s'"), Map.entry("max-attempts", "a whole number from 1 to 1000"),
      Map.entry("cache-ttl", "a duration, such as '1min'"), Map.entry("cache-max-rows", "a whole number from 1 to 100000000"),
      Map.entry("cache-missing-key", "'true' or 'false'"), Map.entry("outage-timeout", "a duration, such as '5min'")));

  public static final SearchKeyOptions DEFAULT = new SearchKeyOptions(1, 30_000, 100, 0, 0, null, 10_000, true, 300_000);

  /** Returns whether only options of the cache differ from their defaults. */
  public boolean onlyCache() {
    return equals(new SearchKeyOptions(DEFAULT.capacity, DEFAULT.timeout, DEFAULT.batchSize, DEFAULT.retries, DEFAULT.delay, cacheTtl, cacheRows,
        cacheMisses, DEFAULT.outage));
  }

  /** Reads options that {@link #text} has written. */
  public static SearchKeyOptions read(String text) {
    try {
      return JSON.readValue(text, SearchKeyOptions.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  public String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the options of {@code MAP['async', 'true', …]}. */
  public static SearchKeyOptions of(SqlNode map) {
    MapEntries given = new MapEntries(map);
    boolean async = given.choice("async", List.of("true", "false"), "false").equals("true");
    if (!async) {
      given.refuse(List.of("capacity"), "statements are sent at once only with 'async', 'true'");
    }
    boolean retries = given.has("retry-predicate");
    given.choice("retry-predicate", List.of("lookup_miss"), "");
    given.choice("retry-strategy", List.of("fixed_delay"), "");
    if (!retries) {
      given.refuse(RETRY, "it belongs to 'retry-predicate', 'lookup_miss'");
    }
    boolean caches = given.has("cache-ttl");
    if (!caches) {
      given.refuse(CACHE, "it belongs to 'cache-ttl', without which nothing is cached");
    }
    boolean misses = given.choice("cache-missing-key", List.of("true", "false"), retries ? "false" : "true").equals("true");
    return new SearchKeyOptions(async ? given.number("capacity", 100, 4) : 1, given.duration("timeout", DEFAULT.timeout),
        given.number("batch-size", 1000, DEFAULT.batchSize), retries ? given.number("max-attempts", 1000, 3) : 0,
        retries ? given.duration("fixed-delay", 1000) : 0, caches ? given.duration("cache-ttl", 0) : null,
        given.number("cache-max-rows", 100_000_000, DEFAULT.cacheRows), misses, given.duration("outage-timeout", DEFAULT.outage));
  }

  /** The entries of a MAP, each value with its position. */
  private static final class MapEntries {
    private final Map<String, SqlNode> names = new LinkedHashMap<>();
    private final Map<String, SqlNode> values = new LinkedHashMap<>();

    MapEntries(SqlNode map) {
      if (!(map instanceof SqlCall call) || call.getOperator() != SqlStdOperatorTable.MAP_VALUE_CONSTRUCTOR) {
        throw error(map, "options takes a MAP of constants", "write options => MAP['async', 'true']");
      }
      List<SqlNode> parts = call.getOperandList();
      for (int i = 0; i < parts.size(); i += 2) {
        String name = constant(parts.get(i)).toLowerCase(Locale.ROOT);
        if (!TAKES.containsKey(name)) {
          throw error(parts.get(i), "SEARCH_KEY has no option '" + name + "'", "its options are " + String.join(", ", TAKES.keySet()));
        }
        if (i + 1 == parts.size()) {
          throw error(parts.get(i), "The option '" + name + "' has no value", "it takes " + TAKES.get(name));
        }
        if (names.put(name, parts.get(i)) != null) {
          throw error(parts.get(i), "The option '" + name + "' is given twice", "leave one of them out");
        }
        constant(parts.get(i + 1));
        values.put(name, parts.get(i + 1));
      }
    }

    private static String constant(SqlNode node) {
      if (node instanceof SqlCharStringLiteral text) {
        return text.getValueAs(NlsString.class).getValue().trim();
      }
      throw error(node, "Options and their values are character strings", "write, for example, MAP['max-attempts', '3']");
    }

    boolean has(String name) {
      return values.containsKey(name);
    }

    void refuse(List<String> others, String why) {
      others.stream().filter(this::has).findFirst().ifPresent(name -> {
        throw error(names.get(name), "The option '" + name + "' has no effect here: " + why, "add that, or leave '" + name + "' out");
      });
    }

    String choice(String name, List<String> choices, String otherwise) {
      if (!has(name)) {
        return otherwise;
      }
      String value = constant(values.get(name)).toLowerCase(Locale.ROOT);
      if (!choices.contains(value)) {
        throw invalidOption(name);
      }
      return value;
    }

    int number(String name, int most, int otherwise) {
      if (!has(name)) {
        return otherwise;
      }
      String value = constant(values.get(name));
      if (!value.matches("[1-9]\\d{0,8}") || Integer.parseInt(value) > most) {
        throw invalidOption(name);
      }
      return Integer.parseInt(value);
    }

    long duration(String name, long otherwise) {
      if (!has(name)) {
        return otherwise;
      }
      Long value = Durations.shortMillis(constant(values.get(name)), UNITS);
      if (value == null) {
        throw invalidOption(name);
      }
      return value;
    }

    private DiagnosticException invalidOption(String name) {
      return error(values.get(name), "The option '" + name + "' cannot be '" + constant(values.get(name)) + "'",
          "it takes " + TAKES.get(name));
    }

    private static DiagnosticException error(SqlNode place, String message, String hint) {
      return new DiagnosticException("RT0128", place.getParserPosition(), message, hint);
    }
  }
}
