package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlOption;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlNode;

/** The option {@code late_stream}: the stream for rejected rows, which must have columns for them. */
final class LateStreams {
  /** The type of the longest reason for rejecting a row, {@code not monotonic}. */
  private static final String REASON_TYPE = "VARCHAR(13)";
  /** Names of producers have no maximum length; they are cut to the column's length. */
  private static final String PRODUCER_TYPE = "VARCHAR(0)";

  private final Environment environment;
  private final CatalogSnapshot catalog;
  private final List<Diagnostic> errors;

  LateStreams(Environment environment, List<Diagnostic> errors) {
    this.environment = environment;
    this.catalog = environment.catalog();
    this.errors = errors;
  }

  /**
   * Returns the options with the late stream's name as spelled in the catalog. If it cannot receive the rows, the
   * reason is added to {@code errors}.
   *
   * @param columns the columns of the stream or table {@code name} that is created
   */
  Map<String, String> check(SqlCreateRelation create, String name, List<CatalogColumn> columns, Map<String, String> options) {
    SqlNode place = place(create);
    String wanted = options.get(CatalogObject.LATE_STREAM);
    if (place == null || wanted == null) {
      return options;
    }
    if (create.kind.isForeign()) {
      error("RT0336", place, "A " + create.kind.text() + " has no late_stream: each query that reads it checks its rows, and writes late ones to files",
          create.kind.isStream() ? "have a pump insert its rows into a named stream that has one" : null);
      return options;
    }
    if (wanted.equalsIgnoreCase(name)) {
      error("RT0337", place, "'" + name + "' cannot be its own late_stream: a row that it rejects would come back forever",
          "name another stream");
      return options;
    }
    CatalogObject target = catalog.find(wanted);
    if (target == null) {
      error("RT0335", place, "The late_stream '" + wanted + "' does not exist", Names.suggestion(catalog, wanted));
      return options;
    }
    if (!target.kind().equals("STREAM") || target.isSystem()) {
      error("RT0336", place, "The late_stream '" + target.name() + "' is " + (target.isSystem() ? "a system stream" : "a " + target.kind())
          + ", but late rows can go only to a named stream of your own", "CREATE STREAM with the columns that you want to keep, and name that");
      return options;
    }
    List<String> circle = circle(name, target);
    if (circle != null) {
      error("RT0337", place, "The late_stream of '" + name + "' leads back to it: " + String.join(" -> ", circle),
          "remove the late_stream of one of these streams");
      return options;
    }
    fits(create, place, name, columns, target);
    Map<String, String> spelled = new LinkedHashMap<>(options);
    spelled.put(CatalogObject.LATE_STREAM, target.name());
    return spelled;
  }

  private static SqlNode place(SqlCreateRelation create) {
    return create.options.stream().filter(node -> ((SqlOption) node).keyText().equalsIgnoreCase(CatalogObject.LATE_STREAM))
        .findFirst().orElse(null);
  }

  /** Returns the names from {@code name} along late streams back to it; null if there is no cycle. */
  private List<String> circle(String name, CatalogObject target) {
    List<String> path = new ArrayList<>(List.of(name));
    for (CatalogObject at = target; at != null && !path.contains(at.name()); at = at.lateStream() == null ? null : catalog.find(at.lateStream())) {
      path.add(at.name());
      if (at.lateStream() != null && at.lateStream().equalsIgnoreCase(name)) {
        path.add(name);
        return path;
      }
    }
    return null;
  }

  /** Checks that each column of the late stream can hold the values of rejected rows. */
  private void fits(SqlCreateRelation create, SqlNode place, String name, List<CatalogColumn> columns, CatalogObject target) {
    Map<String, CatalogColumn> given = new LinkedHashMap<>();
    boolean stream = create.kind.isStream();
    given.put("REASON", column("REASON", REASON_TYPE, false));
    given.put("PRODUCER", column("PRODUCER", PRODUCER_TYPE, true));
    given.put("STREAM", column("STREAM", "VARCHAR(" + Math.max(1, name.codePointCount(0, name.length())) + ")", false));
    if (stream) {
      given.put("REJECTED_ROWTIME", column("REJECTED_ROWTIME", "TIMESTAMP(3)", false));
    }
    columns.forEach(c -> given.put(c.name(), c));
    for (CatalogColumn wanted : target.columns()) {
      if (wanted.name().equalsIgnoreCase(CatalogObject.ROWTIME)) {
        continue;
      }
      CatalogColumn source = given.get(wanted.name());
      String of = "Column '" + wanted.name() + "' of the late_stream '" + target.name() + "'";
      if (source == null) {
        if (!wanted.nullable()) {
          error("RT0338", place, of + " is NOT NULL, and '" + name + "' has no column of that name",
              "columns are filled by name, without defaults; make the column nullable, or remove it");
        }
      } else if (!holds(type(wanted), type(source))) {
        String what = source.type().equals(PRODUCER_TYPE) ? "the name of a producer, a VARCHAR" : "every " + source.type() + " of '" + name + "'";
        error("RT0338", place, of + " is " + wanted.type() + " and cannot hold " + what,
            source.type().equals(PRODUCER_TYPE) ? "declare it VARCHAR" : "declare it " + source.type() + ", or give it another name");
      } else if (source.nullable() && !wanted.nullable()) {
        error("RT0338", place, of + " is NOT NULL, and late rows of '" + name + "' may have NULL there", "make the column nullable");
      }
    }
  }

  private static CatalogColumn column(String name, String type, boolean nullable) {
    return new CatalogColumn(name, type, nullable, null, null, null, null);
  }

  private RelDataType type(CatalogColumn column) {
    return column.type().equals(PRODUCER_TYPE) ? null : TypeText.parse(column.type(), true, environment.validator());
  }

  /** Returns whether a column can hold each value of another type unchanged; {@code from} is null for any text. */
  private static boolean holds(RelDataType to, RelDataType from) {
    if (from == null) {
      return to.getSqlTypeName().getName().equals("VARCHAR");
    }
    if (TypeText.of(to).equals(TypeText.of(from))) {
      return true;
    }
    int digits = from.getPrecision() - Math.max(0, from.getScale());
    return switch (to.getSqlTypeName()) {
      case SMALLINT, INTEGER, BIGINT -> isWhole(from) && digits < to.getPrecision();
      case DECIMAL -> isExact(from) && to.getScale() >= Math.max(0, from.getScale()) && to.getPrecision() - to.getScale() >= digits;
      // Integers that a binary fraction represents exactly.
      case REAL -> isWhole(from) && digits <= 5;
      case FLOAT, DOUBLE -> isWhole(from) && digits <= 10 || isApproximate(from);
      case VARCHAR -> isText(from) && isLongEnough(to, from);
      case VARBINARY -> from.getSqlTypeName().getName().endsWith("BINARY") && isLongEnough(to, from);
      case TIMESTAMP -> from.getSqlTypeName() == to.getSqlTypeName() && to.getPrecision() >= from.getPrecision();
      case TIME -> from.getSqlTypeName() == to.getSqlTypeName() && to.getPrecision() >= from.getPrecision();
      default -> false;
    };
  }

  private static boolean isLongEnough(RelDataType to, RelDataType from) {
    return to.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
        || from.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED && to.getPrecision() >= from.getPrecision();
  }

  private static boolean isWhole(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
      default -> false;
    };
  }

  private static boolean isExact(RelDataType type) {
    return isWhole(type) || type.getSqlTypeName().getName().equals("DECIMAL");
  }

  private static boolean isApproximate(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case REAL, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  private static boolean isText(RelDataType type) {
    return type.getSqlTypeName().getName().endsWith("CHAR");
  }

  private void error(String code, SqlNode place, String message, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
