package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The columns of a view, materialized or not: those of its query, with the names that the statement lists, if it does. */
final class ViewColumns {
  private ViewColumns() {}

  /**
   * Returns the columns of a view.
   *
   * @param given the names that the statement lists; null or empty if those of the query hold
   * @throws DiagnosticException RT0305 if there are more or fewer names than columns, or a name occurs twice
   */
  static List<CatalogColumn> of(SqlNodeList given, SqlNode query, RelDataType rowType) {
    List<RelDataTypeField> fields = rowType.getFieldList();
    List<SqlIdentifier> names = names(given, fields.size());
    List<CatalogColumn> columns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      String column = names == null ? fields.get(i).getName() : names.get(i).getSimple();
      SqlParserPos pos = names == null ? query.getParserPosition() : names.get(i).getParserPosition();
      if (!seen.add(column.toUpperCase(Locale.ROOT))) {
        throw new DiagnosticException("RT0305", pos, "Column '" + column + "' occurs twice in the view", "give one of them another name");
      }
      columns.add(new CatalogColumn(column, TypeText.of(fields.get(i).getType()), fields.get(i).getType().isNullable(),
          null, null, null, null));
    }
    return columns;
  }

  private static List<SqlIdentifier> names(SqlNodeList given, int count) {
    if (given == null || given.isEmpty()) {
      return null;
    }
    if (given.size() != count) {
      throw new DiagnosticException("RT0305", given.getParserPosition(), "The view names " + given.size()
          + " columns, but its query has " + count, "name each column of the query, in order");
    }
    List<SqlIdentifier> names = new ArrayList<>();
    given.forEach(c -> names.add((SqlIdentifier) c));
    return names;
  }
}
