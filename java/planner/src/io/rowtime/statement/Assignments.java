package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Spelling;
import io.rowtime.catalog.StoredSql;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;

/** Checks and converts the values that a statement assigns to columns. */
final class Assignments {
  private final SqlValidator validator;

  Assignments(Environment environment) {
    this.validator = environment.validator();
  }

  /**
   * Returns the columns that a statement names.
   *
   * @throws DiagnosticException RT0112 if there is no column of that name, RT0305 if one is named twice
   */
  static List<CatalogColumn> columns(CatalogObject target, SqlNodeList names) {
    List<CatalogColumn> all = target.columns();
    List<CatalogColumn> columns = new ArrayList<>();
    List<Diagnostic> errors = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (SqlNode node : names) {
      // UPDATE t SET t.a = 1: the part before the dot was resolved with the target.
      List<String> parts = ((SqlIdentifier) node).names;
      String name = parts.get(parts.size() - 1);
      CatalogColumn column = all.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst().orElse(null);
      if (column == null) {
        errors.add(Diagnostic.error("RT0112", node.getParserPosition(), "Column '" + name + "' not found in '" + target.name() + "'",
            Spelling.nearest(name, all.stream().map(CatalogColumn::name).toList()).map(n -> "did you mean '" + n + "'?")
                .orElse("its columns are " + String.join(", ", all.stream().map(CatalogColumn::name).toList()))));
      } else if (!seen.add(column.name())) {
        errors.add(Diagnostic.error("RT0305", node.getParserPosition(), "Column '" + column.name() + "' is named twice", null));
      } else {
        columns.add(column);
      }
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return columns;
  }

  /**
   * Checks that every omitted column has a default; the ROWTIME of a stream defaults to the clock.
   *
   * @throws DiagnosticException RT0323 if one has none
   */
  static void checkOmitted(CatalogObject target, List<CatalogColumn> given, SqlParserPos pos) {
    for (CatalogColumn column : target.columns()) {
      boolean clock = target.isStream() && column.name().equals(CatalogObject.ROWTIME);
      if (!column.nullable() && column.defaultValue() == null && !clock && !given.contains(column)) {
        throw withoutDefault(column, pos);
      }
    }
  }

  private static DiagnosticException withoutDefault(CatalogColumn column, SqlParserPos pos) {
    return new DiagnosticException("RT0323", pos, "Column '" + column.name() + "' has no default value and does not allow NULLs", "give it a value");
  }

  /**
   * Returns the value that is assigned to a column; for the keyword DEFAULT, the column's default.
   *
   * @throws DiagnosticException RT0323 if there is no DEFAULT
   */
  static SqlNode assignedValue(CatalogObject target, CatalogColumn column, SqlNode value) {
    if (value.getKind() != SqlKind.DEFAULT) {
      return value;
    }
    if (column.defaultValue() != null) {
      return StoredSql.expression(column.defaultValue());
    }
    if (target.isStream() && column.name().equals(CatalogObject.ROWTIME)) {
      throw new DiagnosticException("RT0323", value.getParserPosition(), "ROWTIME has no DEFAULT: if it is omitted, it is the system clock",
          "name the other columns, and omit ROWTIME");
    }
    if (!column.nullable()) {
      throw withoutDefault(column, value.getParserPosition());
    }
    return SqlLiteral.createNull(value.getParserPosition());
  }

  /**
   * Returns the type that a value is cast to: the column's type, with the nullability of the value.
   *
   * @throws DiagnosticException RT0324 if the value's type cannot be converted to the column's implicitly
   */
  RelDataType type(CatalogColumn column, RelDataType from, SqlParserPos pos) {
    RelDataType to = TypeText.parse(column.type(), from.isNullable(), validator);
    if (!SqlTypeUtil.canCastFrom(to, from, true) || !canAssign(to, from) && !SqlTypeUtil.inCharFamily(from)) {
      throw new DiagnosticException("RT0324", pos, "Column '" + column.name() + "' is " + column.type() + " and cannot take a value of type " + TypeText.of(from),
          "CAST the value");
    }
    return to;
  }

  /** For maps, arrays and rows, Calcite only accepts the same element types, including field names. */
  private static boolean canAssign(RelDataType to, RelDataType from) {
    if (to.getSqlTypeName() != from.getSqlTypeName()) {
      return SqlTypeUtil.canAssignFrom(to, from);
    }
    return switch (to.getSqlTypeName()) {
      case MAP -> canAssign(to.getKeyType(), from.getKeyType()) && canAssign(to.getValueType(), from.getValueType());
      case ARRAY, MULTISET -> canAssign(to.getComponentType(), from.getComponentType());
      case ROW -> to.getFieldCount() == from.getFieldCount() && IntStream.range(0, to.getFieldCount())
          .allMatch(i -> canAssign(to.getFieldList().get(i).getType(), from.getFieldList().get(i).getType()));
      default -> SqlTypeUtil.canAssignFrom(to, from);
    };
  }
}
