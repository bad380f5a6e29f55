package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.sql.SqlLateness;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.validate.SqlValidator;

/** {@code LATENESS view.column value}, before or after the view is created. */
final class LatenessStatement {
  private final Environment environment;

  LatenessStatement(Environment environment) {
    this.environment = environment;
  }

  PlanResult declare(SqlLateness lateness) {
    String view = lateness.view.getSimple();
    String column = lateness.column.getSimple();
    String value = SqlText.of(lateness.value);
    CatalogObject object = environment.catalog().find(view);
    if (object != null) {
      CatalogColumn known = column(object, lateness);
      SqlValidator validator = environment.validator();
      List<Diagnostic> errors = new ArrayList<>();
      new ColumnOrder(validator, errors).distance("LATENESS", lateness.value, known.name(),
          TypeText.parse(known.type(), known.nullable(), validator));
      if (!errors.isEmpty()) {
        throw new DiagnosticException(errors);
      }
      view = object.name();
      column = known.name();
    }
    return new PlanResult(StatementType.DEFINITION, "LATENESS").object(view).change(JsonNodeFactory.instance.objectNode()
        .put("action", "lateness").put("view", view).put("column", column).put("value", value));
  }

  private static CatalogColumn column(CatalogObject object, SqlLateness lateness) {
    if (!object.isView()) {
      throw new DiagnosticException("RT0315", lateness.view.getParserPosition(), "'" + object.name() + "' is a " + object.kind() + ", not a view",
          "declare LATENESS with the column when the " + object.kind().toLowerCase(Locale.ROOT) + " is created");
    }
    return object.columns().stream().filter(c -> c.name().equalsIgnoreCase(lateness.column.getSimple())).findFirst()
        .orElseThrow(() -> new DiagnosticException("RT0112", lateness.column.getParserPosition(),
            "Column '" + lateness.column.getSimple() + "' not found in '" + object.name() + "'",
            "its columns are " + String.join(", ", object.columns().stream().map(CatalogColumn::name).toList())));
  }
}
