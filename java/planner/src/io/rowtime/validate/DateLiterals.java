package io.rowtime.validate;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlAbstractDateTimeLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.Static;
import org.apache.calcite.util.TimestampString;

/**
 * Reads literals of dates before 1582-10-15. Dates are those of the Gregorian calendar, extended to all years, as in
 * standard SQL, in Spark and in Calcite's functions. Calcite reads literals by the Julian calendar then.
 */
final class DateLiterals {
  private static final Pattern DATE = Pattern.compile("(\\s*)(\\d{1,4})-(\\d{1,2})-(\\d{1,2})(?!\\d)(.*)", Pattern.DOTALL);
  /** The last year in which the calendars differ. */
  private static final int CHANGED = 1582;
  /** A year that has the dates of all years in both calendars. */
  private static final String LEAP_YEAR = "2000";

  private DateLiterals() {}

  /** @param calcite resolves a literal as Calcite does */
  static SqlLiteral resolve(SqlUnknownLiteral literal, UnaryOperator<SqlLiteral> calcite) {
    Matcher date = DATE.matcher(literal.getValue());
    boolean timestamp = literal.tag.equals("TIMESTAMP");
    int year = date.matches() && (timestamp || literal.tag.equals("DATE")) ? Integer.parseInt(date.group(2)) : 0;
    if (year == 0 || year > CHANGED) {
      return calcite.apply(literal);
    }
    int month = Integer.parseInt(date.group(3));
    int day = Integer.parseInt(date.group(4));
    try {
      LocalDate.of(year, month, day);
    } catch (DateTimeException e) {
      throw SqlUtil.newContextException(literal.getParserPosition(), Static.RESOURCE.illegalLiteral(literal.tag, literal.getValue(),
          "there is no such day in the Gregorian calendar"));
    }
    SqlAbstractDateTimeLiteral moved;
    try {
      moved = (SqlAbstractDateTimeLiteral) calcite.apply(SqlLiteral.createUnknown(literal.tag,
          date.group(1) + LEAP_YEAR + "-" + month + "-" + day + date.group(5), literal.getParserPosition()));
    } catch (CalciteContextException e) {
      // The rest of the text is wrong; the message should show all of it.
      return calcite.apply(literal);
    }
    String text = String.format(Locale.ROOT, "%04d", year) + moved.toFormattedString().substring(LEAP_YEAR.length());
    return timestamp ? SqlLiteral.createTimestamp(SqlTypeName.TIMESTAMP, new TimestampString(text), moved.getPrec(), literal.getParserPosition())
        : SqlLiteral.createDate(new DateString(text), literal.getParserPosition());
  }
}
