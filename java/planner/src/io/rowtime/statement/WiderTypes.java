package io.rowtime.statement;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which types have all values of another one, unchanged, and can be read from the files that were written with that: the types of
 * columns that may become wider while their rows stay.
 */
final class WiderTypes {
  private static final List<String> WHOLE = List.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");
  private static final List<String> APPROXIMATE = List.of("REAL", "FLOAT", "DOUBLE");
  private static final Pattern TYPE = Pattern.compile("(VARCHAR|VARBINARY|DECIMAL|TIME|TIMESTAMP)(?:\\((\\d+)(?:, (\\d+))?\\))?");

  private WiderTypes() {}

  /** Returns whether a type, as text of the catalog, is wider than another one. */
  static boolean isWider(String before, String after) {
    if (WHOLE.contains(before) && WHOLE.contains(after)) {
      return WHOLE.indexOf(after) > WHOLE.indexOf(before);
    }
    if (APPROXIMATE.contains(before) && APPROXIMATE.contains(after)) {
      return APPROXIMATE.indexOf(after) > APPROXIMATE.indexOf(before);
    }
    Matcher one = TYPE.matcher(before);
    Matcher two = TYPE.matcher(after);
    if (!one.matches() || !two.matches() || !one.group(1).equals(two.group(1)) || one.group(2) == null) {
      return false;
    }
    if (two.group(2) == null) {
      return one.group(1).startsWith("VAR");
    }
    long precision = Long.parseLong(two.group(2)) - Long.parseLong(one.group(2));
    if (!one.group(1).equals("DECIMAL")) {
      return precision > 0;
    }
    long scale = Long.parseLong(two.group(3)) - Long.parseLong(one.group(3));
    return scale >= 0 && precision >= scale && precision > 0;
  }

  /** Returns the types that are wider than one, as a hint says it; null if there are none. */
  static String of(String type) {
    String name = type.replaceAll("\\(.*", "");
    if (WHOLE.contains(type)) {
      int next = WHOLE.indexOf(type) + 1;
      return next == WHOLE.size() ? null : String.join(" or ", WHOLE.subList(next, WHOLE.size()));
    }
    return switch (name) {
      case "REAL" -> "FLOAT or DOUBLE";
      case "FLOAT" -> "DOUBLE";
      case "DECIMAL" -> "DECIMAL with as many digits before and after the point, or more";
      case "VARCHAR", "VARBINARY" -> type.equals(name) ? null : "a longer " + name;
      case "TIME", "TIMESTAMP" -> name + " with a higher precision";
      default -> null;
    };
  }
}
