package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlAddColumn;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateRelation;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The CREATE statement of a stream or table with the column of ALTER … ADD COLUMN. */
final class AddedColumn {
  private final CatalogSnapshot catalog;

  AddedColumn(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  SqlCreateRelation define(SqlAddColumn add) {
    SqlParserPos place = add.name.getParserPosition();
    CatalogObject old = Names.existing(catalog, add.name, add.kind.isStream() ? "Stream" : "Table");
    if (!old.kind().equals(add.kind.sql())) {
      throw new DiagnosticException("RT0313", place, "'" + old.name() + "' is a " + old.kind() + ", not a " + add.kind.sql(), null);
    }
    if (old.isSystem() || old.sql() == null) {
      throw new DiagnosticException("RT0342", place, "'" + old.name() + "' cannot get more columns: no CREATE statement defines it", null);
    }
    check(add.column, old);
    SqlCreateRelation stored = (SqlCreateRelation) StoredSql.definition(old);
    List<SqlNode> elements = new ArrayList<>();
    if (stored.elements != null) {
      elements.addAll(stored.elements);
    } else if (stored.query != null) {
      elements.addAll(declarations(old));
    }
    elements.add(add.column);
    // Whoever runs the stored text again gets the table as it is, but for its rows.
    return new SqlCreateRelation(add.getParserPosition(), add.kind, stored.getReplace(), false, new SqlIdentifier(old.name(), place),
        new SqlNodeList(elements, add.column.getParserPosition()), stored.options, false, null);
  }

  private static void check(SqlColumnDeclaration column, CatalogObject old) {
    String name = column.name.getSimple();
    if (old.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(name))) {
      throw new DiagnosticException("RT0305", column.name.getParserPosition(), "'" + old.name() + "' has a column '" + name + "' already",
          "give the new one another name");
    }
    String reason = Boolean.FALSE.equals(column.type.getNullable()) ? "NOT NULL"
        : column.primaryKey ? "PRIMARY KEY"
        : column.monotonic != null ? "MONOTONIC" : column.lateness != null ? "LATENESS" : column.watermark != null ? "WATERMARK" : null;
    if (reason != null) {
      throw new DiagnosticException("RT0342", column.getParserPosition(), "A column that is added cannot be " + reason
          + ": it is NULL in the rows that '" + old.name() + "' has", "leave out " + reason);
    }
  }

  /** Returns the columns of a table that has those of its query. */
  private static List<SqlNode> declarations(CatalogObject table) {
    List<String> columns = new ArrayList<>();
    for (CatalogColumn column : table.columns()) {
      columns.add('"' + column.name().replace("\"", "\"\"") + "\" " + column.type() + (column.nullable() ? "" : " NOT NULL"));
    }
    return ((SqlCreateRelation) StoredSql.statement("CREATE TABLE t (" + String.join(", ", columns) + ")")).elements;
  }
}
