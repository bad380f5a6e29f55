package io.rowtime.plan.build;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.RexImpTable;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlInternalOperators;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Maps Calcite's operators to their names in the plan contract: an operator's own name, or, if several operators share
 * it (LOG of PostgreSQL and of MySQL), the name of Calcite's constant for it.
 */
public final class RexOperators {
  /** These read documents that may refer to files or addresses, or depend on the session or the current time. */
  private static final Set<String> REFUSED = Set.of("EXTRACT(XML)", "XMLTRANSFORM", "EXTRACTVALUE", "EXISTSNODE", "USER",
      "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_PATH", "CURRENT_CATALOG", "CURRENT_DATETIME", "SYSDATE", "SYSTIMESTAMP",
      "NEXT_VALUE", "CURRENT_VALUE");

  private static final Map<String, SqlOperator> BY_NAME = new HashMap<>();
  private static final Map<SqlOperator, String> NAMES = new IdentityHashMap<>();

  static {
    Map<String, List<Field>> byName = new HashMap<>();
    for (Class<?> table : List.of(SqlStdOperatorTable.class, SqlLibraryOperators.class, SqlInternalOperators.class)) {
      for (Field field : table.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && SqlOperator.class.isAssignableFrom(field.getType())) {
          byName.computeIfAbsent(ownName(operator(field)), n -> new ArrayList<>()).add(field);
        }
      }
    }
    byName.forEach((name, fields) -> fields.forEach(field -> {
      SqlOperator operator = operator(field);
      String unique = fields.stream().allMatch(f -> operator(f) == operator) ? name : field.getName();
      NAMES.putIfAbsent(operator, unique);
      BY_NAME.putIfAbsent(unique, operator);
    }));
  }

  private RexOperators() {}

  /**
   * Returns the contract's name of an operator that Calcite can compute from its arguments alone; null for any other
   * operator.
   */
  static String computedName(SqlOperator operator) {
    String name = NAMES.get(operator);
    boolean fits = name != null && !(operator instanceof SqlAggFunction) && operator.isDeterministic()
        && !operator.isDynamicFunction() && !REFUSED.contains(name) && RexImpTable.INSTANCE.get(operator) != null;
    return fits ? name : null;
  }

  /** Returns the operator with that name. */
  public static SqlOperator named(String name) {
    SqlOperator operator = BY_NAME.get(name);
    // The plan may have been changed after it was written; only operators that the planner writes are computed.
    if (operator == null || computedName(operator) == null) {
      throw new IllegalArgumentException("The plan has an operator that is not known: " + name);
    }
    return operator;
  }

  private static String ownName(SqlOperator operator) {
    return operator.getName().toUpperCase(Locale.ROOT);
  }

  private static SqlOperator operator(Field field) {
    try {
      return (SqlOperator) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
