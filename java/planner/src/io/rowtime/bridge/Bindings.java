package io.rowtime.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/** Replaces a statement's parameters by their values before validation, so that later phases see literals. */
final class Bindings extends SqlShuttle {
  private final JsonNode values;

  private Bindings(JsonNode values) {
    this.values = values;
  }

  /**
   * Binds the parameters of a statement.
   *
   * @param values an array of {@code {"type": text, "value": …}}, in the order of the parameters, with bytes as
   *     hexadecimal digits; a missing node if there are no values
   */
  static SqlNode bind(SqlNode statement, JsonNode values) {
    return values.isArray() ? statement.accept(new Bindings(values)) : statement;
  }

  @Override public SqlNode visit(SqlDynamicParam parameter) {
    JsonNode given = values.get(parameter.getIndex());
    if (given == null) {
      throw new DiagnosticException("RT0644", parameter.getParserPosition(), "No value is given for parameter " + (parameter.getIndex() + 1),
          "set each parameter");
    }
    SqlParserPos pos = parameter.getParserPosition();
    JsonNode value = given.get("value");
    if (value.isIntegralNumber() && !value.asText().startsWith("-")) {
      SqlNode number = SqlLiteral.createExactNumeric(value.asText(), pos);
      // FETCH and OFFSET accept only a literal.
      return isInteger(given) ? number : cast(number, given, pos);
    }
    SqlNode literal = value.isNull() ? SqlLiteral.createNull(pos)
        : isBinary(given) ? SqlLiteral.createBinaryString(value.asText(), pos)
        : value.isBoolean() ? SqlLiteral.createBoolean(value.asBoolean(), pos)
        : SqlLiteral.createCharString(value.asText(), pos);
    return cast(literal, given, pos);
  }

  private static boolean isInteger(JsonNode given) {
    return given.get("type").asText().matches("INTEGER|BIGINT");
  }

  private static boolean isBinary(JsonNode given) {
    return given.get("type").asText().matches("(VAR)?BINARY.*");
  }

  private static SqlNode cast(SqlNode literal, JsonNode given, SqlParserPos pos) {
    return SqlStdOperatorTable.CAST.createCall(pos, literal, StoredSql.type(given.get("type").asText()));
  }
}
