package io.rowtime.validate.function;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Suggests equivalents in this language for functions of Spark SQL and Flink SQL that it lacks. */
public final class Counterparts {
  private static final String UNNEST = "CROSS JOIN UNNEST(array) AS t (x), with WITH ORDINALITY for the positions";
  private static final String ELEMENTS = "use a sub-query over the elements: (SELECT … FROM UNNEST(array) AS t (x))";
  private static final String MAKE_JSON = "JSON_OBJECT('key': value, …) and JSON_ARRAY(value, …) return JSON";
  private static final String READ_JSON = "JSON_VALUE(text, '$.path') returns a scalar of JSON text, and JSON_QUERY an object or an array";
  private static final String PERCENTILE = "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) is exact";
  private static final String INTERVAL = "a number of units is an interval: n * INTERVAL '1' DAY";
  private static final String WATERMARKS = "rows that are too late are rejected on entry; LATENESS and WATERMARK of a column say how late rows may be";
  private static final String WINDOWS = "FROM TUMBLE(s, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE), HOP(…) or SESSION(…), "
      + "or GROUP BY TUMBLE(rowtime, …)";

  private static final Map<String, String> HINTS = new HashMap<>();

  static {
    put(UNNEST, "EXPLODE", "EXPLODE_OUTER", "POSEXPLODE", "POSEXPLODE_OUTER", "INLINE", "INLINE_OUTER");
    put(ELEMENTS, "TRANSFORM", "FILTER", "AGGREGATE", "REDUCE", "FORALL", "ZIP_WITH", "MAP_FILTER", "TRANSFORM_KEYS", "TRANSFORM_VALUES",
        "MAP_ZIP_WITH");
    put(MAKE_JSON, "TO_JSON", "JSON_STRING", "JSON", "OBJECT_OF", "JSON_QUOTE");
    put(READ_JSON, "FROM_JSON", "JSON_TUPLE", "JSON_UNQUOTE", "PARSE_JSON", "TRY_PARSE_JSON", "JSON_EXTRACT_SCALAR", "JSON_EXTRACT_PATH_TEXT", "EXTRACTJSONFIELD",
        "JSON_EXTRACT", "VARIANT_GET", "TRY_VARIANT_GET", "SCHEMA_OF_JSON");
    put("JSON_SET(text, '$.path', value) changes a value in JSON", "OBJECT_UPDATE");
    put(PERCENTILE, "PERCENTILE", "PERCENTILE_APPROX", "APPROX_PERCENTILE");
    put(INTERVAL, "MAKE_INTERVAL", "MAKE_DT_INTERVAL", "MAKE_YM_INTERVAL", "TRY_MAKE_INTERVAL");
    put(WATERMARKS, "CURRENT_WATERMARK", "SOURCE_WATERMARK");
    put(WINDOWS, "WINDOW", "SESSION_WINDOW", "TIME_BUCKET", "DATE_BIN", "HOPPING", "TUMBLING");
    put("TUMBLE_END(…) is the end of the window, and the last time in it TUMBLE_END(…) - INTERVAL '0.001' SECOND", "TUMBLE_ROWTIME", "TUMBLE_PROCTIME");
    put("HOP_END(…) is the end of the window, and the last time in it HOP_END(…) - INTERVAL '0.001' SECOND", "HOP_ROWTIME", "HOP_PROCTIME");
    put("SESSION_END(…) is the end of the window, and the last time in it SESSION_END(…) - INTERVAL '0.001' SECOND", "SESSION_ROWTIME", "SESSION_PROCTIME");
    put("MAX_BY(x, ROWTIME) is the last value of a group, and MIN_BY(x, ROWTIME) the first", "LATEST_BY_OFFSET", "EARLIEST_BY_OFFSET", "LAST", "ARG_MAX",
        "ARG_MIN", "ARGMAX", "ARGMIN");
    put("OVER (PARTITION BY FLOOR(rowtime TO DAY)) gives running totals", "CUMULATE");
    put("what a stream holds is the option history; a sub-query with a window such as RANGE INTERVAL '1' HOUR PRECEDING has the last hour", "MZ_NOW");
    put("SAFE_ADD, SAFE_SUBTRACT, SAFE_MULTIPLY and SAFE_DIVIDE return NULL if the result does not fit its type", "TRY_ADD", "TRY_SUBTRACT", "TRY_MULTIPLY",
        "TRY_DIVIDE");
    put("the last time in a window is window_end - INTERVAL '0.001' SECOND", "WINDOW_TIME");
    put("CURRENT_TIMESTAMP is the time at which a row is processed", "CURRENT_ROW_TIMESTAMP");
    put("FROM_UTC_TIMESTAMP(TO_UTC_TIMESTAMP(ts, 'Europe/Berlin'), 'Asia/Tokyo') converts from one time zone to another", "CONVERT_TZ");
    put("TO_TIMESTAMP_LTZ takes a number of seconds with 0, or of milliseconds with 3; for text, use TO_TIMESTAMP",
        "TO_TIMESTAMP_LTZ");
    put("REGEXP_LIKE(text, '[A-Za-z]+') checks text", "IS_ALPHA");
    put("REGEXP_LIKE(text, '[0-9]+') checks text", "IS_DIGIT");
    put("TRY_CAST(text AS DECIMAL(38, 18)) IS NOT NULL checks text", "IS_DECIMAL");
    put("SORT_ARRAY(array [, ascending]) sorts; NULLs come first in ascending order", "ARRAY_SORT");
    put("SLICE(array, start, length) returns a part of an array", "ARRAY_SLICE");
    put("MAP_CONCAT(a, b) merges maps", "MAP_UNION");
    put("COLLECT(x) or ARRAY_AGG(x) collects the values that are not NULL", "COLLECT_LIST", "COLLECT_SET");
    put("SOME(condition)", "ANY");
    put("COALESCE(a, b), or a IS NULL", "ISNULL");
    put("ROW(a, b), or CAST(ROW(a, b) AS ROW(x INTEGER, y INTEGER)) with names", "STRUCT", "NAMED_STRUCT");
    put("ROW_NUMBER() OVER (…) numbers rows", "MONOTONICALLY_INCREASING_ID");
    put("TIMESTAMPADD(DAY, n, ts)", "DATEADD");
    put("TIMESTAMPDIFF(DAY, since, until)", "DATEDIFF");
    put("CAST(text AS DECIMAL(p, s))", "TO_NUMBER");
    put("TRY_CAST(text AS DECIMAL(p, s))", "TRY_TO_NUMBER");
    put("TO_CHAR(value, 'pattern')", "TO_VARCHAR");
    put("TO_TIMESTAMP(text [, 'pattern'])", "TO_TIMESTAMP_NTZ");
    put("TO_TIMESTAMP(text): a TIMESTAMP is in UTC", "MAKE_TIMESTAMP_LTZ", "MAKE_TIMESTAMP_NTZ");
    put("a warehouse has no databases and no schemas", "CURRENT_DATABASE");
    put("RAND()", "RANDN", "UNIFORM");
    put("WITH RECURSIVE generates numbers", "SEQUENCE", "GENERATE_SERIES", "GENERATE_ARRAY", "RANGE");
  }

  private Counterparts() {}

  private static void put(String hint, String... names) {
    List.of(names).forEach(name -> HINTS.put(name, hint));
  }

  /** Returns a hint for a function that does not exist; null if there is none. */
  public static String hint(String function) {
    return HINTS.get(function.toUpperCase(Locale.ROOT));
  }
}
