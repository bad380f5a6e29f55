package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.StoredSql;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlAddColumn;
import io.rowtime.sql.SqlAlterColumnType;
import io.rowtime.sql.SqlAlterRelation;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlDropColumn;
import io.rowtime.sql.SqlOption;
import io.rowtime.sql.SqlPrimaryKeyConstraint;
import io.rowtime.sql.SqlSetOptions;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The CREATE statement of a stream or table after an ALTER. */
final class AlteredDefinition {
  private final Environment environment;
  private final CatalogObject old;
  private final SqlAlterRelation alter;
  private final SqlParserPos place;

  /** @throws DiagnosticException RT0312, RT0313 or RT0342 if there is no such object, or no CREATE statement defines it */
  AlteredDefinition(Environment environment, SqlAlterRelation alter) {
    this.environment = environment;
    this.alter = alter;
    this.place = alter.name.getParserPosition();
    this.old = Names.existing(environment.catalog(), alter.name, alter.kind.isStream() ? "Stream" : "Table");
    if (!old.kind().equals(alter.kind.sql())) {
      throw new DiagnosticException("RT0313", place, "'" + old.name() + "' is a " + old.kind() + ", not a " + alter.kind.sql(), null);
    }
    if (old.isSystem() || old.sql() == null) {
      throw new DiagnosticException("RT0342", place, "'" + old.name() + "' cannot be altered: no CREATE statement defines it", null);
    }
  }

  /** Returns the object before the ALTER, without the column that it drops. */
  CatalogObject remaining() {
    if (!(alter instanceof SqlDropColumn drop)) {
      return old;
    }
    CatalogColumn dropped = column(drop.column);
    return new CatalogObject(old.name(), old.kind(), old.columns().stream().filter(c -> !c.equals(dropped)).toList(), old.primaryKey(),
        old.options(), old.query(), old.started(), old.uses(), old.sql());
  }

  /** Returns the CREATE statement that defines the object after the ALTER. */
  SqlCreateRelation define() {
    SqlCreateRelation stored = (SqlCreateRelation) StoredSql.definition(old);
    List<SqlNode> elements = new ArrayList<>();
    if (stored.elements != null) {
      elements.addAll(stored.elements);
    } else if (stored.query != null) {
      elements.addAll(declarations());
    }
    SqlNodeList options = stored.options;
    if (alter instanceof SqlAddColumn add) {
      checkAdded(add.column);
      elements.add(add.column);
    } else if (alter instanceof SqlDropColumn drop) {
      checkDropped(column(drop.column), drop.column.getParserPosition());
      elements.removeIf(element -> declares(element, drop.column));
    } else if (alter instanceof SqlAlterColumnType change) {
      checkType(column(change.column), change);
      elements.replaceAll(element -> declares(element, change.column) ? retyped((SqlColumnDeclaration) element, change) : element);
    } else {
      options = merged(stored.options, ((SqlSetOptions) alter).options);
    }
    // Whoever runs the stored text again gets the table as it is, but for its rows.
    return new SqlCreateRelation(alter.getParserPosition(), alter.kind, stored.getReplace(), false, new SqlIdentifier(old.name(), place),
        elements.isEmpty() ? null : new SqlNodeList(elements, alter.getParserPosition()), options, false, null);
  }

  private CatalogColumn column(SqlIdentifier id) {
    String name = id.getSimple();
    return old.columns().stream().filter(c -> c.name().equals(name))
        .findFirst().orElseThrow(() -> new DiagnosticException("RT0308", id.getParserPosition(), "'" + old.name() + "' has no column '" + name + "'",
            "its columns are " + String.join(", ", old.columns().stream().map(CatalogColumn::name).toList())));
  }

  private void checkAdded(SqlColumnDeclaration column) {
    String name = column.name.getSimple();
    if (old.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase(name))) {
      throw new DiagnosticException("RT0305", column.name.getParserPosition(), "'" + old.name() + "' has a column '" + name + "' already",
          "give the new one another name");
    }
    String reason = Boolean.FALSE.equals(column.type.getNullable()) ? "NOT NULL"
        : column.primaryKey ? "PRIMARY KEY"
        : column.monotonic != null ? "MONOTONIC" : column.lateness != null ? "LATENESS" : column.watermark != null ? "WATERMARK" : null;
    if (reason != null) {
      throw new DiagnosticException("RT0342", column.getParserPosition(), "A column that is added cannot be " + reason
          + ": it is NULL in the rows that '" + old.name() + "' has", "leave out " + reason);
    }
  }

  private void checkDropped(CatalogColumn column, SqlParserPos at) {
    boolean isRowtime = old.isStream() && column.name().equals(CatalogObject.ROWTIME);
    String reason = isRowtime ? "every stream has it"
        : old.primaryKey().contains(column.name()) ? "it is part of the PRIMARY KEY"
        : column.isOrdered() ? "its " + order(column) + " decides which rows are accepted, and when"
        : column.name().equalsIgnoreCase(old.deleteColumn()) ? "the option delete_column names it"
        : old.columns().size() == 1 ? "it is the only one" : null;
    if (reason != null) {
      throw new DiagnosticException("RT0342", at, "Column " + column.name() + " of '" + old.name() + "' cannot be dropped: " + reason,
          isRowtime ? null : another());
    }
  }

  private static String order(CatalogColumn column) {
    return column.lateness() != null ? "LATENESS" : column.watermark() != null ? "WATERMARK" : "MONOTONIC";
  }

  private void checkType(CatalogColumn column, SqlAlterColumnType change) {
    String type = type(change);
    if (type == null || type.equals(column.type())) {
      return;
    }
    String of = "The type of column " + column.name() + " of '" + old.name() + "' cannot change: ";
    SqlParserPos at = change.column.getParserPosition();
    if (column.isOrdered() || old.isStream() && column.name().equals(CatalogObject.ROWTIME)) {
      throw new DiagnosticException("RT0342", at, of + "rows are ordered by it", another());
    }
    if (old.primaryKey().contains(column.name())) {
      throw new DiagnosticException("RT0342", at, of + "it is part of the PRIMARY KEY", another());
    }
    if (!WiderTypes.isWider(column.type(), type)) {
      String wider = WiderTypes.of(column.type());
      throw new DiagnosticException("RT0342", change.type.getParserPosition(), "Column " + column.name() + " of '" + old.name() + "' is " + column.type()
          + ", which cannot become " + type + " while its rows stay", wider == null ? another() : "it can become " + wider + "; or " + another());
    }
  }

  private String another() {
    return "create another " + alter.kind.text() + ", and insert the rows there";
  }

  /** Returns the new type of a column; null if there is no such type, which is reported where the column is declared. */
  private String type(SqlAlterColumnType change) {
    try {
      return TypeText.of(change.type.deriveType(environment.validator()));
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static SqlColumnDeclaration retyped(SqlColumnDeclaration column, SqlAlterColumnType change) {
    return new SqlColumnDeclaration(column.getParserPosition(), column.name, change.type.withNullable(column.type.getNullable()),
        column.primaryKey, column.monotonic, column.defaultValue, column.lateness, column.watermark);
  }

  private static boolean declares(SqlNode element, SqlIdentifier column) {
    return !(element instanceof SqlPrimaryKeyConstraint) && ((SqlColumnDeclaration) element).name.getSimple().equals(column.getSimple());
  }

  /** Returns the options of the definition with those that the statement sets. */
  private SqlNodeList merged(SqlNodeList stored, SqlNodeList set) {
    List<String> names = new ArrayList<>();
    List<SqlNode> given = new ArrayList<>();
    set.forEach(option -> names.add(name(option)));
    for (SqlNode option : stored) {
      if (!names.contains(name(option))) {
        SqlOption kept = (SqlOption) option;
        // An error of an option that stays has no better place than the statement.
        given.add(new SqlOption(place, SqlLiteral.createCharString(kept.keyText(), place), kept.value.clone(place)));
      }
    }
    set.forEach(given::add);
    return new SqlNodeList(given, set.getParserPosition());
  }

  private static String name(SqlNode option) {
    return ((SqlOption) option).keyText().toLowerCase(Locale.ROOT);
  }

  /** Returns the columns of a table that has those of its query. */
  private List<SqlNode> declarations() {
    List<String> columns = new ArrayList<>();
    for (CatalogColumn column : old.columns()) {
      columns.add('"' + column.name().replace("\"", "\"\"") + "\" " + column.type() + (column.nullable() ? "" : " NOT NULL"));
    }
    return ((SqlCreateRelation) StoredSql.statement("CREATE TABLE t (" + String.join(", ", columns) + ")")).elements;
  }
}
