package io.rowtime.statement;

import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateFunction;
import io.rowtime.sql.SqlTableTypeNameSpec;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.RowtimeValidator;
import io.rowtime.validate.UserFunction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Checks the parts of CREATE FUNCTION … RETURNS TABLE that scalar functions lack: the function is called for each row,
 * or processes a table.
 */
final class TableFunctions {
  private final RowtimeValidator types;

  TableFunctions(RowtimeValidator types) {
    this.types = types;
  }

  /** Checks the columns and parameters, and adds their catalog form to {@code options}. */
  void complete(SqlCreateFunction create, List<CatalogColumn> parameters, Map<String, String> options) {
    boolean process = checkTables(create, parameters);
    checkOrder(create);
    String row = TypeText.of(row(create, process));
    if (!process) {
      // A function that is called for a row returns a list of its result rows.
      options.put(UserFunction.RETURNS, row + " ARRAY");
      options.put(UserFunction.TABLE, UserFunction.ROWS);
      return;
    }
    options.put(UserFunction.RETURNS, row);
    options.put(UserFunction.TABLE, ProcessFunction.PROCESS);
    List<Diagnostic> errors = new ArrayList<>();
    new Options(errors).of(ObjectKind.FUNCTION, create.options).forEach((key, value) -> {
      if (errors.isEmpty()) {
        options.put(key, String.valueOf(Options.millis(value)));
      }
    });
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
  }

  /** Returns whether one of the parameters is a table. */
  private static boolean checkTables(SqlCreateFunction create, List<CatalogColumn> parameters) {
    List<Integer> tables = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).type().equals(SqlTableTypeNameSpec.TABLE)) {
        tables.add(i);
      }
    }
    if (tables.size() > 1) {
      throw refused(create.parameters.get(tables.get(1)).getParserPosition(), "A function can have one TABLE parameter",
          "combine the tables by UNION ALL or a join in the argument");
    }
    return !tables.isEmpty();
  }

  /** Arguments without names are assigned from left to right, so optional parameters must come last. */
  private static void checkOrder(SqlCreateFunction create) {
    boolean optional = false;
    for (SqlNode node : create.parameters) {
      SqlColumnDeclaration parameter = (SqlColumnDeclaration) node;
      if (optional && parameter.defaultValue == null) {
        throw refused(parameter.getParserPosition(), "Parameter '" + parameter.name.getSimple()
            + "' without a DEFAULT follows one that has a DEFAULT", "put the parameters with a DEFAULT last");
      }
      optional |= parameter.defaultValue != null;
    }
  }

  private RelDataType row(SqlCreateFunction create, boolean process) {
    RelDataTypeFactory.Builder row = types.getTypeFactory().builder();
    Set<String> seen = new HashSet<>();
    for (SqlNode node : create.columns) {
      SqlColumnDeclaration column = (SqlColumnDeclaration) node;
      String name = column.name.getSimple();
      if (!seen.add(name.toUpperCase(Locale.ROOT))) {
        throw new DiagnosticException("RT0305", column.getParserPosition(), "Column '" + name + "' is declared twice",
            "give one of them another name");
      }
      if (process && name.equals(CatalogObject.ROWTIME)) {
        throw refused(column.getParserPosition(), "The result has a ROWTIME of its own",
            "leave out the column; the function sets the ROWTIME of a row when it emits the row");
      }
      row.add(name, column.type.deriveType(types, true));
    }
    return row.build();
  }

  private static DiagnosticException refused(SqlParserPos place, String message, String hint) {
    return new DiagnosticException("RT0328", place, message, hint);
  }
}
