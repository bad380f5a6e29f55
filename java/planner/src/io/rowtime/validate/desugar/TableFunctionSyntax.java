package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.AstRewriter;
import io.rowtime.validate.Selects;
import io.rowtime.validate.function.Counterparts;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.function.TableFunction;
import io.rowtime.validate.function.WindowFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Normalizes calls of table functions to the one form that the validator accepts: positional arguments, the first of
 * which is a query. {@code SNAPSHOT(t)}, {@code SNAPSHOT(input => t)} and {@code TABLE(SNAPSHOT(TABLE t))} all get this
 * form.
 */
public final class TableFunctionSyntax {
  private TableFunctionSyntax() {}

  /** Returns whether the call is of a function that assigns windows, and is therefore a stream if its input is. */
  public static boolean isWindowing(SqlCall call) {
    return function(call) instanceof WindowFunction;
  }

  public static boolean isSnapshot(SqlCall call) {
    return function(call) == RowtimeOperators.SNAPSHOT;
  }

  public static boolean isSearchKey(SqlCall call) {
    return function(call) == RowtimeOperators.SEARCH_KEY;
  }

  public static boolean isToChangelog(SqlCall call) {
    return function(call) == RowtimeOperators.TO_CHANGELOG;
  }

  public static boolean isFromChangelog(SqlCall call) {
    return function(call) == RowtimeOperators.FROM_CHANGELOG;
  }

  /** Returns the arguments of a SNAPSHOT that are times. */
  public static List<SqlNode> times(SqlCall call) {
    SqlNode input = input(call);
    return call.getOperandList().stream().map(operand -> operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT ? ((SqlCall) operand).operand(0) : operand)
        .map(SqlNode.class::cast).filter(argument -> TableFunction.unwrap(argument) != input).toList();
  }

  /** Returns the table that a call reads, before or after normalization. */
  public static SqlNode input(SqlCall call) {
    for (SqlNode operand : call.getOperandList()) {
      if (operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT
          && parameters(call).indexOf(name(((SqlCall) operand).operand(1))) == 0) {
        return TableFunction.unwrap(((SqlCall) operand).operand(0));
      }
    }
    if (call.operandCount() == 0) {
      throw needsTable(call);
    }
    return TableFunction.unwrap(call.operand(0));
  }

  private static DiagnosticException needsTable(SqlCall call) {
    return new DiagnosticException("RT0120", call.getParserPosition(), name(call) + " needs a table to read",
        "write " + name(call) + "(t, …) or " + name(call) + "(" + parameters(call).get(0).toLowerCase(Locale.ROOT) + " => t, …)");
  }

  /** Normalizes all calls of table functions in {@code query}. */
  static SqlNode normalise(SqlNode query, CatalogSnapshot catalog) {
    UserTableCalls own = new UserTableCalls(catalog);
    return AstRewriter.rewrite(query, each -> {
      if (each instanceof SqlJoin join && join.getJoinType().generatesNullsOnLeft() && isSearched(join.getRight())) {
        throw new DiagnosticException("RT0127", join.getRight().getParserPosition(), "SEARCH_KEY finds rows for those on its left, so none of"
            + " its own come without one", "make it an INNER or a LEFT JOIN");
      }
      SqlNode node = own.rewrite(each);
      if (node != each || node.getKind() != SqlKind.COLLECTION_TABLE || !(((SqlCall) node).operand(0) instanceof SqlCall call)) {
        return node;
      }
      if (function(call) == null) {
        throw new DiagnosticException("RT0114", call.getParserPosition(), "'" + name(call) + "' is not a table function",
            Objects.requireNonNullElseGet(Counterparts.hint(name(call)), () -> "table functions are "
                + String.join(", ", RowtimeOperators.tableFunctions()) + ", and those created by CREATE FUNCTION … RETURNS TABLE"));
      }
      return collection(call);
    });
  }

  private static boolean isSearched(SqlNode from) {
    return switch (from.getKind()) {
      case AS, LATERAL -> isSearched(((SqlCall) from).operand(0));
      case COLLECTION_TABLE -> ((SqlCall) from).operand(0) instanceof SqlCall call && isSearchKey(call);
      default -> false;
    };
  }

  private static SqlCall collection(SqlCall call) {
    return SqlStdOperatorTable.COLLECTION_TABLE.createCall(call.getParserPosition(), positional(call));
  }

  /** Returns the arguments in the order of the parameters, null for a missing one. */
  private static SqlNode[] arguments(SqlCall call) {
    List<String> parameters = parameters(call);
    SqlNode[] arguments = new SqlNode[parameters.size()];
    int next = 0;
    boolean named = false;
    for (SqlNode operand : call.getOperandList()) {
      int index = next++;
      SqlNode value = operand;
      if (named && operand.getKind() != SqlKind.ARGUMENT_ASSIGNMENT) {
        throw new DiagnosticException("RT0120", operand.getParserPosition(), "An argument without a name follows one with a name",
            "name it as well: the parameters of " + name(call) + " are " + String.join(", ", parameters).toLowerCase(Locale.ROOT));
      }
      named = operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT;
      if (operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlNode parameter = ((SqlCall) operand).operand(1);
        index = parameters.indexOf(name(parameter));
        value = ((SqlCall) operand).operand(0);
        if (index < 0) {
          throw new DiagnosticException("RT0120", parameter.getParserPosition(),
              name(call) + " has no parameter '" + name(parameter) + "'",
              "its parameters are " + String.join(", ", parameters).toLowerCase(Locale.ROOT));
        }
      }
      if (index >= arguments.length) {
        throw new DiagnosticException("RT0120", operand.getParserPosition(),
            name(call) + " takes at most " + arguments.length + " arguments",
            "its parameters are " + String.join(", ", parameters).toLowerCase(Locale.ROOT));
      }
      if (arguments[index] != null) {
        throw new DiagnosticException("RT0120", operand.getParserPosition(), "Parameter '" + parameters.get(index) + "' is given twice",
            "give each parameter once");
      }
      arguments[index] = isDescriptor(value) ? descriptor(value, isWindowing(call)) : value;
    }
    return arguments;
  }

  private static SqlCall positional(SqlCall call) {
    SqlNode[] arguments = arguments(call);
    if (arguments[0] == null) {
      throw needsTable(call);
    }
    arguments = ((TableFunction) function(call)).resolve(call, arguments);
    arguments[0] = query(arguments[0]);
    int count = arguments.length;
    while (arguments[count - 1] == null) {
      count--;
    }
    for (int i = 0; i < count; i++) {
      if (arguments[i] == null) {
        arguments[i] = SqlStdOperatorTable.DEFAULT.createCall(call.getParserPosition());
      }
    }
    return function(call).createCall(call.getParserPosition(), Arrays.copyOf(arguments, count));
  }

  /**
   * Returns the checked columns of a DESCRIPTOR. If the function does not assign windows they become an array of names;
   * otherwise the validator would resolve them in the FROM clause around the call.
   */
  private static SqlNode descriptor(SqlNode value, boolean windowing) {
    List<SqlNode> columns = value instanceof SqlCall call ? call.getOperandList() : List.of();
    if (columns.isEmpty() || !columns.stream().allMatch(c -> c instanceof SqlIdentifier id && id.isSimple() && !id.isStar())) {
      throw new DiagnosticException("RT0120", value.getParserPosition(), "DESCRIPTOR takes column names",
          "for example DESCRIPTOR(rowtime)");
    }
    if (windowing) {
      return value;
    }
    List<SqlNode> names = new ArrayList<>();
    for (SqlNode column : columns) {
      names.add(SqlLiteral.createCharString(((SqlIdentifier) column).getSimple(), column.getParserPosition()));
    }
    return SqlStdOperatorTable.ARRAY_VALUE_CONSTRUCTOR.createCall(new SqlNodeList(names, value.getParserPosition()));
  }

  /** Returns a table argument in any form as a query. */
  static SqlNode query(SqlNode argument) {
    return table(TableFunction.unwrap(argument));
  }

  /**
   * Returns a table argument as the query that the validator requires: of a name, a query, or another table function.
   */
  private static SqlNode table(SqlNode node) {
    if (node instanceof SqlIdentifier) {
      return SqlStdOperatorTable.EXPLICIT_TABLE.createCall(node.getParserPosition(), node);
    }
    if (node instanceof SqlBasicCall call && function(call) != null) {
      return Selects.star(collection(call), node.getParserPosition());
    }
    return node;
  }

  private static boolean isDescriptor(SqlNode node) {
    return name(node).equals("DESCRIPTOR");
  }

  /** Returns a table argument in the form of an item in FROM. */
  public static SqlNode source(SqlNode argument) {
    SqlNode plain = TableFunction.unwrap(argument);
    return plain instanceof SqlBasicCall call && function(call) != null
        ? SqlStdOperatorTable.COLLECTION_TABLE.createCall(call.getParserPosition(), call) : plain;
  }

  /** Returns the table function that a call names, before or after normalization; null if there is none. */
  private static SqlFunction function(SqlCall call) {
    return RowtimeOperators.tableFunction(name(call));
  }

  private static List<String> parameters(SqlCall call) {
    return ((TableFunction) function(call)).parameters();
  }

  private static String name(SqlNode node) {
    if (node instanceof SqlIdentifier id) {
      return id.names.get(id.names.size() - 1).toUpperCase(Locale.ROOT);
    }
    // As an argument, a call of TUMBLE is parsed as the group function, whose operator is called $TUMBLE.
    return node instanceof SqlCall call ? call.getOperator().getName().toUpperCase(Locale.ROOT).replaceFirst("^\\$(?=TUMBLE|HOP|SESSION)", "") : "";
  }
}
