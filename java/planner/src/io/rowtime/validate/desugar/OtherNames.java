package io.rowtime.validate.desugar;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Rewrites functions of Spark SQL and Flink SQL that have another name or form in this language. */
final class OtherNames {
  /** Functions that only have another name, by name and number of arguments. */
  private static final Map<String, String> RENAMED = Map.ofEntries(Map.entry("LCASE 1", "LOWER"), Map.entry("IFF 3", "IF"),
      // All times are in UTC, so BigQuery's two types of time are one.
      Map.entry("PARSE_TIMESTAMP 2", "PARSE_DATETIME"), Map.entry("FORMAT_TIMESTAMP 2", "FORMAT_DATETIME"), Map.entry("UCASE 1", "UPPER"),
      Map.entry("SIGNUM 1", "SIGN"), Map.entry("SHA 1", "SHA1"), Map.entry("SIZE 1", "CARDINALITY"), Map.entry("MEAN 1", "AVG"),
      Map.entry("STD 1", "STDDEV"), Map.entry("DATEPART 2", "DATE_PART"), Map.entry("DECODE 2", "$DECODE"),
      Map.entry("DATETIME_DIFF 3", "TIMESTAMP_DIFF"), Map.entry("UNIX_TIMESTAMP 1", "$UNIX_TIMESTAMP"),
      Map.entry("UNIX_TIMESTAMP 2", "$UNIX_TIMESTAMP"));

  /**
   * Letters of Java's format patterns, which distinguish months from minutes by case; PostgreSQL's patterns have only
   * one case.
   */
  private static final Pattern JAVAS = Pattern.compile(".*(yy.*M|M.*yy|M.*dd?|HH?:mm).*", Pattern.DOTALL);

  private OtherNames() {}

  /** Returns the equivalent call; the call itself if it already means the same, or has no equivalent. */
  static SqlNode resolve(SqlCall call) {
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    SqlParserPos pos = call.getParserPosition();
    List<SqlNode> args = call.getOperandList();
    String renamed = RENAMED.get(name + " " + args.size());
    if (renamed != null) {
      return call(renamed, pos, args.toArray(SqlNode[]::new));
    }
    return switch (args.size()) {
      case 0 -> constant(call, name, pos);
      case 1 -> of(call, name, pos, args.get(0));
      case 2 -> of(call, name, pos, args.get(0), args.get(1));
      default -> ofMore(call, name, pos, args);
    };
  }

  private static SqlNode constant(SqlCall call, String name, SqlParserPos pos) {
    return switch (name) {
      case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_DATETIME", "LOCALTIME", "LOCALTIMESTAMP" ->
          new SqlIdentifier(name.replace("CURRENT_DATETIME", "CURRENT_TIMESTAMP"), pos);
      case "CURDATE" -> new SqlIdentifier("CURRENT_DATE", pos);
      case "GETDATE" -> new SqlIdentifier("CURRENT_TIMESTAMP", pos);
      case "CURRENT_TIMEZONE" -> SqlLiteral.createCharString("UTC", pos);
      case "UNIX_TIMESTAMP" -> call("UNIX_SECONDS", pos, new SqlIdentifier("CURRENT_TIMESTAMP", pos));
      default -> call;
    };
  }

  private static SqlNode of(SqlCall call, String name, SqlParserPos pos, SqlNode arg) {
    return switch (name) {
      case "NEGATIVE" -> SqlStdOperatorTable.UNARY_MINUS.createCall(pos, arg);
      case "POSITIVE" -> SqlStdOperatorTable.UNARY_PLUS.createCall(pos, arg);
      case "ISNULL" -> SqlStdOperatorTable.IS_NULL.createCall(pos, arg);
      case "ISNOTNULL" -> SqlStdOperatorTable.IS_NOT_NULL.createCall(pos, arg);
      case "ISNAN" -> call("COALESCE", pos, call("IS_NAN", pos, arg), SqlLiteral.createBoolean(false, pos));
      case "NULLIFZERO" -> call("NULLIF", pos, arg, number("0", pos));
      case "ZEROIFNULL" -> call("COALESCE", pos, arg, number("0", pos));
      case "WEEKOFYEAR" -> extract(TimeUnit.WEEK, arg, pos);
      case "WEEKDAY" -> operator(SqlStdOperatorTable.MINUS, pos, extract(TimeUnit.ISODOW, arg, pos), number("1", pos));
      case "SHA224" -> call("SHA2", pos, arg, number("224", pos));
      case "SHA384" -> call("SHA2", pos, arg, number("384", pos));
      case "COUNT_IF" -> call("COUNT", pos, new SqlCase(pos, null, SqlNodeList.of(arg), SqlNodeList.of(number("1", pos)),
          SqlLiteral.createNull(pos)));
      case "TO_DATE" -> cast(arg, SqlTypeName.DATE, -1, pos);
      case "TO_TIMESTAMP" -> cast(arg, SqlTypeName.TIMESTAMP, 3, pos);
      default -> call;
    };
  }

  private static SqlNode of(SqlCall call, String name, SqlParserPos pos, SqlNode first, SqlNode second) {
    return switch (name) {
      case "EQUAL_NULL" -> SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(pos, first, second);
      case "TO_DATE", "TO_TIMESTAMP" -> second instanceof SqlCharStringLiteral pattern && JAVAS.matcher(pattern.toValue()).matches()
          ? call("$" + name, pos, first, second) : call;
      case "TO_TIMESTAMP_LTZ" -> second instanceof SqlNumericLiteral precision && List.of("0", "3").contains(precision.toValue())
          ? call(precision.toValue().equals("0") ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLIS", pos, first) : call;
      default -> call;
    };
  }

  private static SqlNode ofMore(SqlCall call, String name, SqlParserPos pos, List<SqlNode> args) {
    return switch (name) {
      case "SPLIT_INDEX" -> args.size() != 3 ? call : SqlStdOperatorTable.ITEM.createCall(pos, call("SPLIT", pos, args.get(0), args.get(1)),
          operator(SqlStdOperatorTable.PLUS, pos, args.get(2), number("1", pos)));
      case "CONVERT_TIMEZONE" -> args.size() != 3 ? call
          : call("FROM_UTC_TIMESTAMP", pos, call("TO_UTC_TIMESTAMP", pos, args.get(2), args.get(0)), args.get(1));
      case "ELT" -> elementAt(pos, args);
      default -> call;
    };
  }

  /** Converts {@code ELT(n, a, b)} to the argument with that number, NULL if there is none. */
  private static SqlNode elementAt(SqlParserPos pos, List<SqlNode> args) {
    SqlNodeList numbers = new SqlNodeList(pos);
    SqlNodeList values = new SqlNodeList(pos);
    for (int i = 1; i < args.size(); i++) {
      numbers.add(SqlStdOperatorTable.EQUALS.createCall(pos, args.get(0).clone(pos), number(String.valueOf(i), pos)));
      values.add(args.get(i));
    }
    return new SqlCase(pos, null, numbers, values, SqlLiteral.createNull(pos));
  }

  private static SqlNode extract(TimeUnit unit, SqlNode from, SqlParserPos pos) {
    return SqlStdOperatorTable.EXTRACT.createCall(pos, new SqlIntervalQualifier(unit, null, pos), from);
  }

  private static SqlNode cast(SqlNode value, SqlTypeName type, int precision, SqlParserPos pos) {
    return SqlStdOperatorTable.CAST.createCall(pos, value, new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, precision, pos), pos));
  }

  private static SqlNode number(String value, SqlParserPos pos) {
    return SqlLiteral.createExactNumeric(value, pos);
  }

  private static SqlNode operator(SqlOperator operator, SqlParserPos pos, SqlNode... args) {
    return operator.createCall(pos, args);
  }

  private static SqlCall call(String name, SqlParserPos pos, SqlNode... args) {
    return new SqlUnresolvedFunction(new SqlIdentifier(name, pos), null, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION)
        .createCall(pos, args);
  }
}
