package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.Selects;
import io.rowtime.validate.UserFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlRowTypeNameSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;

/**
 * Rewrites calls of user-defined table functions to the forms that the validator accepts: {@code LATERAL f(s.x) AS t}
 * becomes {@code UNNEST(f(s.x)) AS t (a, b)}, and a call that processes a table becomes a call of a {@link
 * ProcessFunction}.
 */
public final class UserTableCalls {
  private final CatalogSnapshot catalog;
  /** The replacements of calls for a row: an UNNEST with the names of the function and its columns. */
  private final Set<SqlNode> unnested = Collections.newSetFromMap(new IdentityHashMap<>());

  UserTableCalls(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** Returns the table function that a call names, or null. */
  static CatalogObject function(CatalogSnapshot catalog, SqlNode call) {
    if (!(call instanceof SqlBasicCall basic) || !(basic.getOperator() instanceof SqlUnresolvedFunction named)) {
      return null;
    }
    CatalogObject found = catalog.find(String.join(".", named.getNameAsId().names));
    return found != null && found.isFunction() && found.options().containsKey(UserFunction.TABLE) ? found : null;
  }

  /** Returns the table that a call processes; null if the call is not of such a function. */
  public static SqlNode processedTable(CatalogSnapshot catalog, SqlCall call) {
    CatalogObject function = function(catalog, call);
    if (function == null || !ProcessFunction.isOne(function.options())) {
      return null;
    }
    SqlNode table = arguments(call, function)[ProcessFunction.table(function)];
    return table == null ? null : table.getKind() == SqlKind.SET_SEMANTICS_TABLE ? ((SqlCall) table).operand(0) : table;
  }

  /** Rewrites a node of a query; the calls below it have been rewritten already. */
  SqlNode rewrite(SqlNode node) {
    switch (node.getKind()) {
      case COLLECTION_TABLE -> {
        CatalogObject function = function(catalog, ((SqlCall) node).operand(0));
        return function == null ? node : collection(((SqlCall) node).operand(0), function);
      }
      case LATERAL -> {
        SqlNode inner = ((SqlCall) node).operand(0);
        return unnested.contains(inner) ? inner : node;
      }
      case AS -> {
        SqlCall as = (SqlCall) node;
        if (!unnested.contains(as.operand(0))) {
          return node;
        }
        List<SqlNode> operands = new ArrayList<>(((SqlCall) as.operand(0)).getOperandList());
        operands.set(1, as.operand(1));
        return as.operandCount() > 2 ? SqlStdOperatorTable.AS.createCall(as.getParserPosition(), rename(operands.get(0), as))
            : SqlStdOperatorTable.AS.createCall(as.getParserPosition(), operands);
      }
      default -> {
        return node;
      }
    }
  }

  /** Returns the UNNEST with the column names that the query gives. */
  private static List<SqlNode> rename(SqlNode unnest, SqlCall as) {
    List<SqlNode> operands = new ArrayList<>(as.getOperandList());
    operands.set(0, unnest);
    return operands;
  }

  private SqlNode collection(SqlCall call, CatalogObject function) {
    return ProcessFunction.isOne(function.options()) ? process(call, function) : unnest(call, function);
  }

  private SqlNode unnest(SqlCall call, CatalogObject function) {
    SqlParserPos place = call.getParserPosition();
    List<SqlNode> values = new ArrayList<>();
    List<CatalogColumn> parameters = function.columns();
    SqlNode[] given = arguments(call, function);
    for (int i = 0; i < given.length; i++) {
      values.add(value(given[i], parameters.get(i), function, place));
    }
    SqlCall rows = unresolvedFunction(function, SqlFunctionCategory.USER_DEFINED_FUNCTION).createCall(place, values);
    List<SqlNode> operands = new ArrayList<>();
    operands.add(SqlStdOperatorTable.UNNEST.createCall(place, rows));
    operands.add(new SqlIdentifier(function.name(), place));
    columns(function).forEach(name -> operands.add(new SqlIdentifier(name, place)));
    SqlCall made = SqlStdOperatorTable.AS.createCall(place, operands);
    unnested.add(made);
    return made;
  }

  /** Returns the names of the columns of a function that is called for a row. */
  private static List<String> columns(CatalogObject function) {
    SqlDataTypeSpec array = (SqlDataTypeSpec) StoredSql.type(function.options().get(UserFunction.RETURNS));
    SqlTypeNameSpec row = ((SqlCollectionTypeNameSpec) array.getTypeNameSpec()).getElementTypeName();
    return ((SqlRowTypeNameSpec) row).getFieldNames().stream().map(SqlIdentifier::getSimple).toList();
  }

  private SqlNode process(SqlCall call, CatalogObject function) {
    SqlParserPos place = call.getParserPosition();
    SqlNode[] given = arguments(call, function);
    int at = ProcessFunction.table(function);
    if (given[at] == null) {
      throw refused(place, function.name() + " needs a table to process", "write " + function.name() + "(TABLE t PARTITION BY k, …)");
    }
    SqlNode table = given[at];
    SqlNodeList partition = SqlNodeList.EMPTY;
    if (table.getKind() == SqlKind.SET_SEMANTICS_TABLE) {
      SqlCall set = (SqlCall) table;
      partition = set.operand(1);
      checkOrder(set.operand(2));
      table = set.operand(0);
    }
    List<SqlNode> operands = new ArrayList<>();
    operands.add(table(table));
    for (int i = 0; i < given.length; i++) {
      if (i != at) {
        CatalogColumn parameter = function.columns().get(i);
        operands.add(SqlStdOperatorTable.CAST.createCall(given[i] == null ? place : given[i].getParserPosition(),
            value(given[i], parameter, function, place), StoredSql.type(parameter.type())));
      }
    }
    for (SqlNode key : partition) {
      if (!(key instanceof SqlIdentifier column) || column.isStar()) {
        throw refused(key.getParserPosition(), "PARTITION BY of a table argument takes column names", "compute the value in a sub-query");
      }
      operands.add(SqlLiteral.createCharString(Util.last(column.names), key.getParserPosition()));
    }
    SqlCall made = unresolvedFunction(function, SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION).createCall(place, operands);
    return SqlStdOperatorTable.COLLECTION_TABLE.createCall(place, made);
  }

  /** Returns a table argument as a query. */
  private SqlNode table(SqlNode node) {
    CatalogObject inner = function(catalog, node);
    return inner != null ? Selects.star(collection((SqlCall) node, inner), node.getParserPosition()) : TableFunctionSyntax.query(node);
  }

  /** Rows are always processed in order of ROWTIME, so ORDER BY may only say the same. */
  private static void checkOrder(SqlNodeList order) {
    boolean rowtime = order.isEmpty() || order.size() == 1 && Desugaring.isRowtime(order.get(0));
    if (!rowtime) {
      throw refused(order.getParserPosition(), "A function processes rows in the order of ROWTIME", "write ORDER BY ROWTIME, or leave it out");
    }
  }

  private static SqlUnresolvedFunction unresolvedFunction(CatalogObject function, SqlFunctionCategory category) {
    return new SqlUnresolvedFunction(new SqlIdentifier(function.name(), SqlParserPos.ZERO), null, null, null, null, category);
  }

  /** Returns an argument, or the DEFAULT of its parameter. */
  private static SqlNode value(SqlNode given, CatalogColumn parameter, CatalogObject function, SqlParserPos call) {
    if (given != null && given.getKind() != SqlKind.DEFAULT) {
      return given;
    }
    if (parameter.defaultValue() == null) {
      throw refused(call, function.name() + " needs an argument for '" + parameter.name() + "'", null);
    }
    return StoredSql.expression(parameter.defaultValue());
  }

  /** Returns the arguments in the order of the parameters, null for a missing one. */
  private static SqlNode[] arguments(SqlCall call, CatalogObject function) {
    List<String> parameters = function.columns().stream().map(column -> column.name().toUpperCase(Locale.ROOT)).toList();
    SqlNode[] arguments = new SqlNode[parameters.size()];
    int next = 0;
    for (SqlNode operand : call.getOperandList()) {
      int index = next++;
      SqlNode value = operand;
      if (operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlIdentifier name = ((SqlCall) operand).operand(1);
        index = parameters.indexOf(name.getSimple().toUpperCase(Locale.ROOT));
        value = ((SqlCall) operand).operand(0);
        if (index < 0) {
          throw refused(name.getParserPosition(), function.name() + " has no parameter '" + name.getSimple() + "'",
              "its parameters are " + String.join(", ", parameters).toLowerCase(Locale.ROOT));
        }
      }
      if (index >= arguments.length) {
        throw refused(operand.getParserPosition(), function.name() + " takes at most " + arguments.length + " arguments",
            parameters.isEmpty() ? null : "its parameters are " + String.join(", ", parameters).toLowerCase(Locale.ROOT));
      }
      arguments[index] = value;
    }
    return arguments;
  }

  private static DiagnosticException refused(SqlParserPos place, String message, String hint) {
    return new DiagnosticException("RT0120", place, message, hint);
  }
}
