package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlNode;

/** The option {@code delete_column}: the column that marks versions that delete their key. */
final class DeleteColumn {
  private final List<Diagnostic> errors;

  DeleteColumn(List<Diagnostic> errors) {
    this.errors = errors;
  }

  /**
   * Returns the options with the column's name as spelled in the catalog. If the column is not suitable, the reason is
   * added to the errors.
   */
  Map<String, String> check(SqlCreateRelation create, List<CatalogColumn> columns, List<String> key, Map<String, String> options) {
    String wanted = options.get(CatalogObject.DELETE_COLUMN);
    if (wanted == null || create.kind.isForeign()) {
      return options;
    }
    boolean ordered = create.kind.isStream() || columns.stream().anyMatch(CatalogColumn::isOrdered);
    CatalogColumn found = columns.stream().filter(column -> column.name().equalsIgnoreCase(wanted)).findFirst().orElse(null);
    if (key.isEmpty() || !ordered) {
      error(create, "The option delete_column requires a stream, or a table with LATENESS or MONOTONIC, "
          + "that has a PRIMARY KEY", key.isEmpty() ? "declare a PRIMARY KEY" : "use DELETE for a plain table");
    } else if (found == null || !found.type().equals("BOOLEAN")) {
      error(create, found == null ? "The delete_column '" + wanted + "' does not exist"
          : "The delete_column '" + found.name() + "' is " + found.type() + ", but must be BOOLEAN",
          "its columns are " + columns.stream().map(CatalogColumn::name).collect(Collectors.joining(", ")));
    } else {
      Map<String, String> spelled = new LinkedHashMap<>(options);
      spelled.put(CatalogObject.DELETE_COLUMN, found.name());
      return spelled;
    }
    return options;
  }

  private void error(SqlCreateRelation create, String message, String hint) {
    SqlNode place = create.options.stream()
        .filter(node -> ((SqlOption) node).keyText().equalsIgnoreCase(CatalogObject.DELETE_COLUMN)).findFirst().orElse(create.name);
    errors.add(Diagnostic.error("RT0340", place.getParserPosition(), message, hint));
  }
}
