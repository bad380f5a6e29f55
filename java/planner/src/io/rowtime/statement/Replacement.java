package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.time.Durations;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What CREATE OR REPLACE does to the rows of a stream or table. They stay if they fit the new definition. Otherwise, the
 * statement is refused unless it has DROP ROWS.
 */
final class Replacement {
  private static final String HISTORY = "history";
  /** The milliseconds for which a table keeps rows that were updated or deleted, if it does not say. */
  private static final long TABLE_HISTORY = 3_600_000;

  private final CatalogObject old;
  private final CatalogObject following;

  private Replacement(CatalogObject old, CatalogObject following) {
    this.old = old;
    this.following = following;
  }

  /**
   * Returns whether the object begins without rows. If it must not have any, because they would be lost without DROP ROWS, the
   * statement is refused by RT0341.
   *
   * @param old the object that is replaced, without the column that an ALTER drops
   */
  static boolean dropsRows(CatalogObject old, CatalogObject following, SqlCreateRelation create, PlanResult outcome) {
    Replacement replacement = new Replacement(old, following);
    List<String> misfits = replacement.misfits();
    if (old.isForeign()) {
      // Its rows are elsewhere; what goes is what the warehouse knows of them.
      return !misfits.isEmpty() || !old.primaryKey().equals(following.primaryKey());
    }
    String shorter = replacement.shorterHistory();
    if (create.dropRows) {
      // If only the history is shorter, the rows within the new one stay.
      return !misfits.isEmpty() || shorter == null;
    }
    Diagnostic refusal = replacement.refusal(misfits, shorter, create.name.getParserPosition());
    if (refusal != null) {
      outcome.refuseIfRows(refusal);
    }
    return !misfits.isEmpty();
  }

  /** @throws DiagnosticException (RT0303) if a pump uses an object whose rows are replaced */
  static void requireNoPumps(CatalogSnapshot catalog, CatalogObject old, SqlCreateRelation create) {
    List<String> pumps = catalog.dependents(old.name()).stream().filter(CatalogObject::isPump).map(o -> o.kind() + " '" + o.name() + "'").toList();
    if (!pumps.isEmpty()) {
      String what = create.dropRows ? "DROP ROWS" : create.query != null ? "CREATE OR REPLACE TABLE … AS" : "Another PRIMARY KEY";
      throw new DiagnosticException("RT0303", create.name.getParserPosition(),
          what + " would take the rows of '" + old.name() + "' from " + String.join(", ", pumps),
          create.query == null ? "drop the pumps first" : "drop the pumps first; or DELETE FROM " + old.name() + ", and INSERT INTO " + old.name() + " SELECT …");
    }
  }

  /** Returns whether the rows of a definition, and whoever names its columns, fit another one. */
  static boolean fits(CatalogObject old, CatalogObject following) {
    return new Replacement(old, following).misfits().isEmpty();
  }

  /** Returns whether nothing that a plan depends on is another one: columns, keys and options. */
  static boolean isSame(CatalogObject old, CatalogObject following) {
    return old.columns().equals(following.columns()) && old.primaryKey().equals(following.primaryKey())
        && old.options().equals(following.options());
  }

  /** Returns the error if the object has rows; null if none would be lost. */
  private Diagnostic refusal(List<String> misfits, String shorter, SqlParserPos place) {
    if (!misfits.isEmpty()) {
      return Diagnostic.error("RT0341", place,
          (old.relational() ? "The rows of '" : "The rows that wait in '") + old.name() + "' do not fit its new definition: " + String.join("; ", misfits),
          "to delete them, add DROP ROWS; to keep them, create another " + old.kind() + " and insert them there");
    }
    return shorter == null ? null : Diagnostic.error("RT0341", place, "'" + old.name() + "' would lose rows: " + shorter,
        "to delete those before the new history, add DROP ROWS; to keep them, leave the option as it is");
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
    if (!before.type().equals(after.type()) && !WiderTypes.isWider(before.type(), after.type())) {
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
