package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What CREATE OR REPLACE does to the rows of a stream or table. They stay if they fit the new definition. Otherwise, the
 * statement is refused unless it has DROP ROWS.
 */
final class Replacement {
  private static final String HISTORY = "history";
  /** The milliseconds for which a table keeps rows that were updated or deleted, if it does not say. */
  private static final long TABLE_HISTORY = 3_600_000;
  private static final Pattern TEXT = Pattern.compile("(VARCHAR|VARBINARY)(?:\\((\\d+)\\))?");

  private final CatalogObject old;
  private final CatalogObject following;

  private Replacement(CatalogObject old, CatalogObject following) {
    this.old = old;
    this.following = following;
  }

  /**
   * Returns whether the object begins without rows.
   *
   * @throws DiagnosticException (RT0341) if rows would be lost without DROP ROWS, (RT0303) if DROP ROWS would take them
   *     from a pump
   */
  static boolean dropsRows(CatalogSnapshot catalog, CatalogObject following, SqlCreateRelation create) {
    CatalogObject old = catalog.find(following.name());
    if (old == null || !old.kind().equals(following.kind()) || old.isForeign()) {
      return false;
    }
    Replacement replacement = new Replacement(old, following);
    List<String> misfits = replacement.misfits();
    String shorter = replacement.shorterHistory();
    if (!create.dropRows) {
      return replacement.refuse(misfits, shorter, create.name.getParserPosition());
    }
    if (misfits.isEmpty() && shorter != null) {
      // The rows within the new history stay.
      return false;
    }
    List<String> pumps = catalog.dependents(old.name()).stream().filter(CatalogObject::isPump).map(CatalogObject::name).toList();
    if (!pumps.isEmpty()) {
      throw new DiagnosticException("RT0303", create.name.getParserPosition(), "DROP ROWS would take the rows of '" + old.name()
          + "' from " + String.join(", ", pumps.stream().map(name -> "PUMP '" + name + "'").toList()), "drop the pumps first");
    }
    return true;
  }

  /** Returns whether a definition differs from another one only by nullable columns behind the others. */
  static boolean addsColumns(CatalogObject old, CatalogObject following) {
    int count = old.columns().size();
    return following.columns().size() > count && following.columns().subList(0, count).equals(old.columns())
        && new Replacement(old, following).misfits().isEmpty();
  }

  private boolean refuse(List<String> misfits, String shorter, SqlParserPos place) {
    if (!misfits.isEmpty() && old.relational()) {
      throw new DiagnosticException("RT0341", place,
          "The rows of '" + old.name() + "' do not fit its new definition: " + String.join("; ", misfits),
          "to delete them, add DROP ROWS; to keep them, create another " + old.kind() + " and insert them there");
    }
    if (shorter != null) {
      throw new DiagnosticException("RT0341", place, "'" + old.name() + "' would lose rows: " + shorter,
          "to delete those before the new history, add DROP ROWS; to keep them, leave the option as it is");
    }
    return !misfits.isEmpty();
  }

  /** Returns what rows of the old definition lack for the new one. */
  private List<String> misfits() {
    List<String> found = new ArrayList<>();
    List<CatalogColumn> before = old.columns();
    List<CatalogColumn> after = following.columns();
    for (CatalogColumn column : before) {
      if (!names(after).contains(column.name())) {
        found.add("column " + column.name() + " is gone");
      }
    }
    for (CatalogColumn column : after) {
      if (!names(before).contains(column.name())) {
        String reason = addition(after.indexOf(column), column);
        if (reason != null) {
          found.add("column " + column.name() + " is new" + reason);
        }
      } else {
        String misfit = misfit(before.get(names(before).indexOf(column.name())), column);
        if (misfit != null) {
          found.add("column " + column.name() + " " + misfit);
        }
      }
    }
    if (found.isEmpty() && !names(before).equals(names(after).subList(0, before.size()))) {
      found.add("the columns were in the order " + String.join(", ", names(before)));
    }
    return found;
  }

  /** Returns why earlier rows cannot have a new column; null if they can, as NULL. */
  private String addition(int place, CatalogColumn column) {
    boolean isTwin = old.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(column.name()));
    return place < old.columns().size() ? " and not the last"
        : !column.nullable() ? " and NOT NULL"
        : column.isOrdered() ? " and has an order"
        : isTwin ? ", and differs from another one only in case" : null;
  }

  private static List<String> names(List<CatalogColumn> columns) {
    return columns.stream().map(CatalogColumn::name).toList();
  }

  private static String misfit(CatalogColumn before, CatalogColumn after) {
    if (!before.type().equals(after.type()) && !isLonger(before.type(), after.type())) {
      return "was " + before.type();
    }
    if (before.nullable() && !after.nullable()) {
      return "may be NULL";
    }
    return order(before).equals(order(after)) ? null : "was declared " + (before.isOrdered() ? "with " : "without ")
        + (before.isOrdered() ? String.join(" ", order(before)) : "LATENESS, WATERMARK or MONOTONIC");
  }

  /** Returns the clauses of a column that say in which order its values come. */
  private static List<String> order(CatalogColumn column) {
    List<String> clauses = new ArrayList<>();
    if (column.monotonic() != null) {
      clauses.add("MONOTONIC " + column.monotonic());
    }
    if (column.lateness() != null) {
      clauses.add("LATENESS " + column.lateness());
    }
    if (column.watermark() != null) {
      clauses.add("WATERMARK " + column.watermark());
    }
    return clauses;
  }

  /** Returns whether a type has the same values as another one, and longer ones. */
  private static boolean isLonger(String before, String after) {
    Matcher one = TEXT.matcher(before);
    Matcher two = TEXT.matcher(after);
    return one.matches() && two.matches() && one.group(1).equals(two.group(1)) && one.group(2) != null
        && (two.group(2) == null || Long.parseLong(two.group(2)) > Long.parseLong(one.group(2)));
  }

  /** Returns how the history becomes shorter; null if it does not. */
  private String shorterHistory() {
    return history(following) >= history(old) ? null
        : "its history was " + text(old) + " and becomes " + text(following);
  }

  private static String text(CatalogObject object) {
    String history = object.options().get(HISTORY);
    return history != null ? "'" + history + "'" : object.isStream() ? "none" : "an hour";
  }

  private static long history(CatalogObject object) {
    String text = object.options().get(HISTORY);
    if (text == null) {
      return object.isStream() ? 0 : TABLE_HISTORY;
    }
    Long millis = Durations.millis(text);
    // Anything else than a duration is 'all'.
    return millis == null ? Long.MAX_VALUE : millis;
  }
}
