package io.rowtime.validate.desugar;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Rewrites calls of Spark and PostgreSQL for which standard SQL has another syntax. */
final class OtherCalls {
  /** The units of DATE_TRUNC; without WEEK, which starts on Mondays there and on Sundays in FLOOR. */
  private static final Map<String, TimeUnit> UNITS = Map.of("SECOND", TimeUnit.SECOND, "MINUTE", TimeUnit.MINUTE,
      "HOUR", TimeUnit.HOUR, "DAY", TimeUnit.DAY, "MONTH", TimeUnit.MONTH, "QUARTER", TimeUnit.QUARTER, "YEAR", TimeUnit.YEAR);

  private static final Set<TimeUnit> WITHIN_DAYS = Set.of(TimeUnit.SECOND, TimeUnit.MINUTE, TimeUnit.HOUR);

  private OtherCalls() {}

  /** Returns the call in standard SQL; any other call unchanged. */
  static SqlNode resolve(SqlCall call) {
    if (!(call.getOperator() instanceof SqlFunction function) || call.operandCount() != 0 && call.operandCount() != 2) {
      return call;
    }
    SqlParserPos pos = call.getParserPosition();
    List<SqlNode> args = call.getOperandList();
    String name = function.getName().toUpperCase(Locale.ROOT);
    if (args.isEmpty()) {
      return switch (name) {
        case "NOW" -> new SqlIdentifier("CURRENT_TIMESTAMP", pos);
        case "RANDOM" -> SqlStdOperatorTable.RAND.createCall(pos);
        default -> call;
      };
    }
    return switch (name) {
      case "DATE_TRUNC" -> truncation(call, pos, args);
      case "DATEDIFF" -> SqlStdOperatorTable.TIMESTAMP_DIFF.createCall(pos, unit(TimeUnit.DAY, pos), day(args.get(1)),
          day(args.get(0)));
      case "DATE_ADD" -> SqlStdOperatorTable.PLUS.createCall(pos, args.get(0), interval(args.get(1)));
      case "DATE_SUB" -> SqlStdOperatorTable.MINUS.createCall(pos, args.get(0), interval(args.get(1)));
      case "TIMESTAMP_ADD", "DATETIME_ADD", "TIME_ADD" -> isInterval(args.get(1))
          ? SqlStdOperatorTable.PLUS.createCall(pos, args) : call;
      case "TIMESTAMP_SUB", "DATETIME_SUB", "TIME_SUB" -> isInterval(args.get(1))
          ? SqlStdOperatorTable.MINUS.createCall(pos, args) : call;
      default -> call;
    };
  }

  /** Converts {@code DATE_TRUNC('hour', t)} and {@code DATE_TRUNC(t, HOUR)} to {@code FLOOR(t TO HOUR)}. */
  private static SqlNode truncation(SqlCall call, SqlParserPos pos, List<SqlNode> args) {
    if (args.get(1) instanceof SqlIntervalQualifier named && WITHIN_DAYS.contains(named.getUnit())) {
      // Calcite's own function truncates a DATE only to units of days and longer.
      return SqlStdOperatorTable.FLOOR.createCall(pos, args.get(0), unit(named.getUnit(), pos));
    }
    TimeUnit unit = args.get(0) instanceof SqlCharStringLiteral text ? UNITS.get(text.toValue().toUpperCase(Locale.ROOT)) : null;
    return unit == null ? call : SqlStdOperatorTable.FLOOR.createCall(pos, args.get(1), unit(unit, pos));
  }

  /** DATEDIFF counts midnights, not periods of 24 hours. */
  private static SqlNode day(SqlNode time) {
    SqlParserPos pos = time.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(pos, time,
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.DATE, pos), pos));
  }

  /** Converts the amount of {@code DATE_ADD(d, n)} to n days; an interval stays unchanged. */
  private static SqlNode interval(SqlNode amount) {
    SqlParserPos pos = amount.getParserPosition();
    return isInterval(amount) ? amount : SqlStdOperatorTable.INTERVAL.createCall(pos, amount, unit(TimeUnit.DAY, pos));
  }

  private static boolean isInterval(SqlNode node) {
    return node instanceof SqlIntervalLiteral || node.getKind() == SqlKind.INTERVAL;
  }

  private static SqlIntervalQualifier unit(TimeUnit unit, SqlParserPos pos) {
    return new SqlIntervalQualifier(unit, null, pos);
  }
}
