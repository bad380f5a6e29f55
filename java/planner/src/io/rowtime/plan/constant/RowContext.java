package io.rowtime.plan.constant;

import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;

/**
 * The context of an expression that Calcite computes: a mutable row of values, with UTC as the time zone and the root
 * locale.
 */
public record RowContext(Object[] values) implements DataContext {
  private static final Map<String, Object> VARIABLES =
      Map.of(Variable.TIME_ZONE.camelName, TimeZone.getTimeZone("UTC"), Variable.LOCALE.camelName, Locale.ROOT);

  @Override public Object get(String name) {
    return name.equals("inputRecord") ? values : VARIABLES.get(name);
  }

  @Override public SchemaPlus getRootSchema() {
    return null;
  }

  @Override public JavaTypeFactory getTypeFactory() {
    throw new UnsupportedOperationException();
  }

  @Override public QueryProvider getQueryProvider() {
    return null;
  }
}
