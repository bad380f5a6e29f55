package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateFunction;
import io.rowtime.sql.SqlTableTypeNameSpec;
import io.rowtime.validate.Environment;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.RowtimeValidator;
import io.rowtime.validate.UserFunction;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.calcite.sql.SqlNode;

/** CREATE FUNCTION: a user-defined function. Whether its code exists is checked when it is first called. */
final class UserFunctions {
  private final Environment environment;

  UserFunctions(Environment environment) {
    this.environment = environment;
  }

  PlanResult create(SqlCreateFunction create) {
    PlanResult outcome = new PlanResult(StatementType.DEFINITION, "CREATE FUNCTION");
    String name = Names.fresh(create.name);
    if (RowtimeOperators.isFunction(name)) {
      throw new DiagnosticException("RT0317", create.name.getParserPosition(), "'" + name + "' is a built-in function",
          "give the function another name");
    }
    String language = create.language.getSimple().toUpperCase(Locale.ROOT);
    if (!UserFunction.LANGUAGES.contains(language)) {
      throw new DiagnosticException("RT0318", create.language.getParserPosition(), "Functions cannot be written in " + language,
          "LANGUAGE is PYTHON or JAVA");
    }
    String body = create.body.toValue();
    if (!UserFunction.isBody(language, body)) {
      throw new DiagnosticException("RT0318", create.body.getParserPosition(), "'" + body + "' does not name a function",
          language.equals("PYTHON") ? "write 'module:function'" : "write 'package.Class' or 'package.Class:method'");
    }
    RowtimeValidator types = environment.validator();
    List<CatalogColumn> parameters = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (SqlNode node : create.parameters) {
      SqlColumnDeclaration parameter = (SqlColumnDeclaration) node;
      String parameterName = parameter.name.getSimple();
      if (!seen.add(parameterName.toUpperCase(Locale.ROOT))) {
        throw new DiagnosticException("RT0305", parameter.getParserPosition(), "Parameter '" + parameterName
            + "' is declared twice", "give one of them another name");
      }
      parameters.add(parameter(parameter, types));
    }
    Map<String, String> options = new TreeMap<>(Map.of(UserFunction.LANGUAGE, language, UserFunction.BODY, body,
        UserFunction.DETERMINISTIC, String.valueOf(create.deterministic)));
    if (create.columns == null) {
      options.put(UserFunction.RETURNS, TypeText.of(create.returns.deriveType(types, true)));
    } else {
      new TableFunctions(types).complete(create, parameters, options);
    }
    refuse(create, options);
    CatalogObject object = new CatalogObject(name, CatalogObject.FUNCTION, parameters, List.of(), options, null, false, List.of(),
        SqlText.of(create));
    if (Definition.admit(environment.catalog(), object, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      Definition.requireSameColumns(environment.catalog(), object, create.name);
      outcome.change(Definition.create(object, create.getReplace()));
    }
    return outcome.object(name);
  }

  private CatalogColumn parameter(SqlColumnDeclaration parameter, RowtimeValidator types) {
    if (parameter.type.getTypeNameSpec() instanceof SqlTableTypeNameSpec) {
      return new CatalogColumn(parameter.name.getSimple(), SqlTableTypeNameSpec.TABLE, true, null, null, null, null);
    }
    String type = TypeText.of(parameter.type.deriveType(types, true));
    String defaultValue = parameter.defaultValue == null ? null : SqlText.of(parameter.defaultValue);
    if (defaultValue != null) {
      List<Diagnostic> wrong = new ColumnDefault(environment).check(defaultValue, type, parameter.defaultValue.getParserPosition());
      if (!wrong.isEmpty()) {
        throw new DiagnosticException(wrong);
      }
    }
    return new CatalogColumn(parameter.name.getSimple(), type, true, null, null, null, defaultValue);
  }

  /** Refuses clauses that only some functions can have: a table as an argument, defaults, options. */
  private static void refuse(SqlCreateFunction create, Map<String, String> options) {
    boolean process = ProcessFunction.isOne(options);
    for (SqlNode node : create.parameters) {
      SqlColumnDeclaration parameter = (SqlColumnDeclaration) node;
      boolean table = parameter.type.getTypeNameSpec() instanceof SqlTableTypeNameSpec;
      if (create.columns == null && (table || parameter.defaultValue != null)) {
        throw new DiagnosticException("RT0328", parameter.getParserPosition(), "Only a table function can have a "
            + (table ? "TABLE parameter" : "DEFAULT"), "write RETURNS TABLE (column type, …)");
      }
    }
    if (!process && !create.options.isEmpty()) {
      throw new DiagnosticException("RT0310", create.options.get(0).getParserPosition(),
          "Only a function with a TABLE parameter has options", "leave out OPTIONS");
    }
  }
}
