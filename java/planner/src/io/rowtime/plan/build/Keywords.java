package io.rowtime.plan.build;

import io.rowtime.plan.node.Expression;
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
public final class Keywords {
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

  private Keywords() {}

  static Expression.Keyword of(Object value) {
    if (value instanceof TimeUnitRange range) {
      return new Expression.Keyword(range.endUnit == null ? range.startUnit.name() : range.name(), null);
    }
    if (!(value instanceof Enum<?> word)) {
      return new Expression.Keyword(String.valueOf(value), null);
    }
    return new Expression.Keyword(word.name(), value instanceof SqlTrimFunction.Flag ? null : name(word.getDeclaringClass()));
  }

  /** Returns Calcite's constant for a word of a set, which is null for the first two. */
  public static Enum<?> constant(String word, String set) {
    if (set == null) {
      return List.of("BOTH", "LEADING", "TRAILING").contains(word) ? SqlTrimFunction.Flag.valueOf(word) : TimeUnitRange.valueOf(word);
    }
    for (Enum<?> constant : SETS.get(set).getEnumConstants()) {
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
