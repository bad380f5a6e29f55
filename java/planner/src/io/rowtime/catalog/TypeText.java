package io.rowtime.catalog;

import io.rowtime.parse.SqlText;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;

/** Writes and reads types as text, the form of types in the catalog and the plan JSON. */
public final class TypeText {
  private static final Pattern PLAIN = Pattern.compile("[A-Z][A-Z0-9_$]*");

  /** Many columns have few types, and a parser costs more than the rest of a row type. */
  private static final Map<String, SqlNode> SPECS = new ConcurrentHashMap<>();
  private static final int MAX_SPECS = 1_000;

  private TypeText() {}

  /** Returns the SQL text of a type, without its nullability: {@code DECIMAL(10, 2)}, {@code ROW(A INTEGER)}. */
  public static String of(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream()
          .map(f -> name(f.getName()) + " " + of(f.getType()))
          .collect(Collectors.joining(", ", "ROW(", ")"));
    }
    SqlTypeName name = type.getSqlTypeName();
    return switch (name) {
      case ARRAY, MULTISET -> of(type.getComponentType()) + " " + name;
      case MAP -> "MAP<" + of(type.getKeyType()) + ", " + of(type.getValueType()) + ">";
      case DECIMAL -> "DECIMAL(" + type.getPrecision() + ", " + type.getScale() + ")";
      case CHAR, BINARY, TIME, TIMESTAMP -> name + "(" + type.getPrecision() + ")";
      case VARCHAR, VARBINARY ->
          type.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED ? name.getName() : name + "(" + type.getPrecision() + ")";
      case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH, INTERVAL_DAY, INTERVAL_DAY_HOUR, INTERVAL_DAY_MINUTE,
          INTERVAL_DAY_SECOND, INTERVAL_HOUR, INTERVAL_HOUR_MINUTE, INTERVAL_HOUR_SECOND, INTERVAL_MINUTE,
          INTERVAL_MINUTE_SECOND, INTERVAL_SECOND ->
          name.getName().replaceFirst("_", " ").replace("_", " TO ");
      default -> name.getName();
    };
  }

  /** Returns a name, quoted if necessary so that it can be read again. */
  private static String name(String name) {
    return PLAIN.matcher(name).matches() && !SqlText.isReserved(name) ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the type that {@link #of} wrote, with the given nullability. */
  public static RelDataType parse(String text, boolean nullable, SqlValidator validator) {
    SqlNode spec = spec(text);
    RelDataType type = spec instanceof SqlIntervalQualifier interval
        ? validator.getTypeFactory().createSqlIntervalType(interval)
        : ((SqlDataTypeSpec) spec).deriveType(validator, nullable);
    return validator.getTypeFactory().createTypeWithNullability(type, nullable);
  }

  private static SqlNode spec(String text) {
    SqlNode known = SPECS.get(text);
    if (known != null) {
      return known;
    }
    SqlNode parsed = StoredSql.type(text);
    if (SPECS.size() < MAX_SPECS) {
      SPECS.put(text, parsed);
    }
    return parsed;
  }
}
