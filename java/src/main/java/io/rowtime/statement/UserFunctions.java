package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.SqlText;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateFunction;
import io.rowtime.validate.Environment;
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

/** CREATE FUNCTION: a function of the user's own. Whether there is code under its name shows when it is first called. */
final class UserFunctions {
  private final Environment environment;

  UserFunctions(Environment environment) {
    this.environment = environment;
  }

  PlanResult create(SqlCreateFunction create) {
    PlanResult outcome = new PlanResult("CREATE FUNCTION");
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
      if (!seen.add(parameter.name.getSimple().toUpperCase(Locale.ROOT))) {
        throw new DiagnosticException("RT0305", parameter.getParserPosition(), "Parameter '" + parameter.name.getSimple()
            + "' is declared twice", "give one of them another name");
      }
      parameters.add(new CatalogColumn(parameter.name.getSimple(), TypeText.of(parameter.type.deriveType(types, true)), true,
          null, null, null, null));
    }
    Map<String, String> options = new TreeMap<>(Map.of(UserFunction.LANGUAGE, language, UserFunction.BODY, body,
        UserFunction.RETURNS, TypeText.of(create.returns.deriveType(types, true)),
        UserFunction.DETERMINISTIC, String.valueOf(create.deterministic)));
    CatalogObject object = new CatalogObject(name, CatalogObject.FUNCTION, parameters, List.of(), options, null, false, List.of(),
        SqlText.of(create));
    if (Definition.admit(environment.catalog(), object, create.getReplace(), create.ifNotExists, create.name, outcome)) {
      outcome.change(Definition.create(object, create.getReplace()));
    }
    return outcome.object(name);
  }
}
