package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.sql.SqlJsonConstructorNullClause;
import org.apache.calcite.sql.SqlJsonEmptyOrError;
import org.apache.calcite.sql.SqlJsonExistsErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryEmptyOrErrorBehavior;
import org.apache.calcite.sql.SqlJsonQueryWrapperBehavior;
import org.apache.calcite.sql.SqlJsonValueEmptyOrErrorBehavior;
import org.apache.calcite.sql.fun.SqlTrimFunction;

/** Keyword arguments of the plan contract: units of time, sides of TRIM, and the SQL/JSON behavior on errors. */
final class RexSymbols {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * The sets of keywords, by name. Words of the first two sets occur in no other set, and are written without the set's
   * name.
   */
  private static final Map<String, Class<? extends Enum<?>>> SETS = new HashMap<>();

  static {
    for (Class<? extends Enum<?>> set : List.<Class<? extends Enum<?>>>of(TimeUnit.class, SqlJsonConstructorNullClause.class,
        SqlJsonEmptyOrError.class, SqlJsonExistsErrorBehavior.class, SqlJsonQueryEmptyOrErrorBehavior.class,
        SqlJsonQueryWrapperBehavior.class, SqlJsonValueEmptyOrErrorBehavior.class)) {
      SETS.put(name(set), set);
    }
  }

  private RexSymbols() {}

  static ObjectNode write(Object value) {
    ObjectNode json = JSON.objectNode().put("kind", "symbol");
    if (value instanceof TimeUnitRange range) {
      return json.put("value", range.endUnit == null ? range.startUnit.name() : range.name());
    }
    if (!(value instanceof Enum<?> word)) {
      return json.put("value", String.valueOf(value));
    }
    json.put("value", word.name());
    return value instanceof SqlTrimFunction.Flag ? json : json.put("set", name(word.getDeclaringClass()));
  }

  static Enum<?> read(JsonNode json) {
    String word = json.get("value").asText();
    if (!json.hasNonNull("set")) {
      return List.of("BOTH", "LEADING", "TRAILING").contains(word) ? SqlTrimFunction.Flag.valueOf(word) : TimeUnitRange.valueOf(word);
    }
    for (Enum<?> constant : SETS.get(json.get("set").asText()).getEnumConstants()) {
      if (constant.name().equals(word)) {
        return constant;
      }
    }
    throw new IllegalArgumentException("The plan has a keyword that is not known: " + word);
  }

  /** Returns for example {@code JSON VALUE EMPTY OR ERROR BEHAVIOR} for SqlJsonValueEmptyOrErrorBehavior. */
  private static String name(Class<?> set) {
    return set.getSimpleName().replaceFirst("^Sql", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ").toUpperCase(java.util.Locale.ROOT);
  }
}
