package io.rowtime.parse;

import io.rowtime.limits.Limits;
import io.rowtime.limits.Texts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.util.Static;

/** Makes nodes for literals that can be written in more ways than in standard SQL. The grammar calls these methods. */
public final class Literals {
  private Literals() {}

  /**
   * Converts {@code INTERVAL 1 HOUR} to {@code INTERVAL '1' HOUR}, because the validator accepts only a literal as the
   * bound of a window. Anything but a plain number stays an expression, {@code INTERVAL (a + b) HOUR}.
   */
  public static SqlNode interval(SqlParserPos pos, int sign, SqlNode value, SqlIntervalQualifier unit) {
    if (value instanceof SqlNumericLiteral number && number.isInteger()) {
      return SqlParserUtil.parseIntervalLiteral(pos, sign, number.toValue(), unit);
    }
    SqlNode signed =
        sign < 0 ? SqlStdOperatorTable.UNARY_MINUS.createCall(value.getParserPosition(), value) : value;
    return SqlStdOperatorTable.INTERVAL.createCall(pos, signed, unit);
  }

  /**
   * Returns the text of a number, after checking that it is small enough for computations.
   *
   * @throws CalciteContextException if it has more than {@link Limits#NUMBER_LENGTH} characters, or more digits than
   *     that before or after its decimal point when it is written out
   */
  public static String number(String text, SqlParserPos pos) {
    boolean fits = text.length() <= Limits.NUMBER_LENGTH;
    if (fits) {
      try {
        BigDecimal number = new BigDecimal(text);
        fits = Math.abs((long) number.precision() - number.scale()) <= Limits.NUMBER_LENGTH;
      } catch (NumberFormatException e) {
        // Here the exponent does not fit into an int; text that is not a number is reported elsewhere.
        fits = !EXPONENT.matcher(text).matches();
      }
    }
    if (!fits) {
      throw SqlUtil.newContextException(pos, Static.RESOURCE.numberLiteralOutOfRange(Texts.beginning(text, MAX_SHOWN)));
    }
    return text;
  }

  private static final int MAX_SHOWN = 60;
  private static final Pattern EXPONENT = Pattern.compile("[+-]?[0-9.]+[eE][+-]?[0-9]+");

  /** Returns the keys and values of {@code MAP[…]}, where {@code 'key' = value} stands for {@code 'key', value}. */
  public static List<SqlNode> mapEntries(SqlNodeList entries) {
    List<SqlNode> list = new ArrayList<>();
    for (SqlNode entry : entries) {
      if (entry.getKind() == SqlKind.EQUALS && ((SqlBasicCall) entry).operand(0) instanceof SqlCharStringLiteral) {
        list.addAll(((SqlBasicCall) entry).getOperandList());
      } else {
        list.add(entry);
      }
    }
    return list;
  }

  /** Returns whether a token is a word, possibly a keyword, that can name an option without quotes. */
  public static boolean isWord(String image) {
    return !image.isEmpty() && Character.isLetter(image.charAt(0))
        && image.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
  }

  /** Returns an option's name in the form in which the catalog stores it. */
  public static String optionName(String image) {
    return image.toLowerCase(Locale.ROOT);
  }
}
