package io.rowtime.validate.desugar;

import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.time.LocalClock;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;

/**
 * Checks that constant time zones exist, because otherwise a streaming query would start, and fail at its first row.
 */
final class ZoneNames {
  private static final Set<String> ZONED = Set.of("FROM_UTC_TIMESTAMP", "TO_UTC_TIMESTAMP");

  private ZoneNames() {}

  static void check(SqlCall call) {
    if (call.getOperator() instanceof SqlFunction function && ZONED.contains(function.getName().toUpperCase(Locale.ROOT))
        && call.operandCount() == 2 && call.operand(1) instanceof SqlCharStringLiteral zone && LocalClock.find(zone.toValue()).isEmpty()) {
      String near = Spelling.nearest(zone.toValue(), ZoneId.getAvailableZoneIds().stream().sorted().toList())
          .map(name -> "did you mean '" + name + "'?").orElse("write a name such as Europe/Berlin, or an offset from UTC such as +05:30");
      throw new DiagnosticException("RT0104", zone.getParserPosition(), "Unknown time zone '" + zone.toValue() + "'", near);
    }
  }
}
