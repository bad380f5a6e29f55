package io.rowtime.validate.function;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** {@code SEARCH_KEY(input, on_key, lookup [, options])}: a look-up by key. */
final class SearchKey extends RowtimeTableFunction {
  private static final String USAGE = "write s, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), s.x)";

  SearchKey() {
    super("SEARCH_KEY", List.of("INPUT", "ON_KEY", "LOOKUP", "OPTIONS"), 3, binding -> binding.getOperandType(0), InputMode.AT_ONCE);
  }

  /** The key columns are an array of names. The options get the form that {@link SearchKeyOptions#read} accepts. */
  @Override public SqlNode[] resolve(SqlCall call, SqlNode[] arguments) {
    if (!(TableFunction.unwrap(arguments[0]) instanceof SqlIdentifier)) {
      throw error(TableFunction.unwrap(arguments[0]), "SEARCH_KEY looks up rows in a table, but this is not a table", "name a table, or join with the query instead");
    }
    if (arguments[1] == null || arguments[2] == null) {
      throw error(call, "SEARCH_KEY needs " + (arguments[1] == null ? "on_key, the columns of the table to search" : "lookup, the value to search for"),
          USAGE);
    }
    if (!(arguments[1] instanceof SqlBasicCall array) || array.getOperator() != SqlStdOperatorTable.ARRAY_VALUE_CONSTRUCTOR) {
      throw error(arguments[1], "on_key of SEARCH_KEY must be a DESCRIPTOR of columns of the table", USAGE);
    }
    List<SqlNode> keys = array.getOperandList();
    Set<String> names = new HashSet<>();
    for (SqlNode key : keys) {
      if (!names.add(((SqlLiteral) key).toValue())) {
        throw error(key, "The key has column '" + ((SqlLiteral) key).toValue() + "' twice", "name each column once");
      }
    }
    if (arguments[2].getKind() == SqlKind.ROW && ((SqlCall) arguments[2]).operandCount() != keys.size()) {
      throw arity(arguments[2], keys.size(), ((SqlCall) arguments[2]).operandCount());
    }
    if (arguments[3] != null) {
      String options = SearchKeyOptions.of(arguments[3]).text();
      arguments[3] = SqlLiteral.createCharString(options, arguments[3].getParserPosition());
    }
    return arguments;
  }

  private static DiagnosticException arity(SqlNode place, int columns, int values) {
    return error(place, "The key has " + columns + (columns == 1 ? " column" : " columns") + ", and lookup " + values + " values",
        columns == 1 ? "write the value without parentheses" : "write as many values, as in (s.x, s.y)");
  }

  private static DiagnosticException error(SqlNode place, String message, String hint) {
    return new DiagnosticException("RT0127", place.getParserPosition(), message, hint);
  }
}
