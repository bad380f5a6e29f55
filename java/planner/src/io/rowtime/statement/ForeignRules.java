package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.ChangelogShape;
import io.rowtime.catalog.Connector;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlOption;
import io.rowtime.validate.rules.Conversions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Checks the columns of foreign streams and tables, and INSERTs into them, by what their connectors can do. The planner does not
 * know values of options that environment variables or files contain.
 */
final class ForeignRules {
  /** A path that names several files, or files that only Spark can access; as in {@code foreign/files.py}. */
  private static final Pattern NOT_LOCAL = Pattern.compile("://|[*?\\[{]");
  private static final String DEBEZIUM = "debezium-json";
  private static final Pattern TEXT_OR_BYTES = Pattern.compile("(VAR)?(CHAR|BINARY)(\\(\\d+\\))?");

  private final List<Diagnostic> errors;

  ForeignRules(List<Diagnostic> errors) {
    this.errors = errors;
  }

  /** Checks a CREATE whose options name a connector. */
  void checkCreate(SqlCreateRelation create, String name, List<CatalogColumn> columns, List<String> key, Map<String, String> options) {
    String what = create.kind.text() + " '" + name + "'";
    Connector connector = Connector.named(options.get(Connector.OPTION));
    if (!connector.exists()) {
      SqlParserPos place = create.options.stream().map(SqlOption.class::cast).filter(o -> o.keyText().equalsIgnoreCase(Connector.OPTION))
          .map(SqlNode::getParserPosition).findFirst().orElse(create.name.getParserPosition());
      errors.add(Conversions.unknown(what, connector, place));
      return;
    }
    new ForeignOptions(errors, create, what, connector).check();
    if (connector.columns() != null) {
      columns.stream().filter(c -> !c.name().equals(CatalogObject.ROWTIME) && !c.type().equals(connector.columns().get(c.name())))
          .forEach(c -> errors.add(Diagnostic.error("RT0529", place(create, c), "The " + what + " has the column " + describe(c)
              + ", which connector '" + connector.name() + "' does not fill", "its only column beside ROWTIME is "
              + connector.columns().entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(", ")))));
    }
    if (connector.hasUpserts(options) && !(create.kind.isStream() && key.isEmpty() && ChangelogShape.isOf(columns))) {
      checkKey(create, what, connector, columns, key, options);
    }
    if (isDebezium(options)) {
      checkChangelog(create, what, columns);
    }
    List<CatalogColumn> value = rawValue(connector, columns, options);
    if (value != null && (value.size() != 1 || !TEXT_OR_BYTES.matcher(value.get(0).type()).matches())) {
      errors.add(Diagnostic.error("RT0529", value.isEmpty() ? create.name.getParserPosition() : place(create, value.get(value.size() - 1)),
          "The " + what + " has format 'raw', which needs one column of type VARCHAR or VARBINARY, not "
              + (value.isEmpty() ? "none" : value.stream().map(ForeignRules::describe).collect(Collectors.joining(", "))),
          "declare one such column for the record; the format 'json', 'csv' or 'avro' fills several"));
    }
  }

  private static boolean isDebezium(Map<String, String> options) {
    return DEBEZIUM.equalsIgnoreCase(options.get("format"));
  }

  /** The events of Debezium are a changelog. */
  private void checkChangelog(SqlCreateRelation create, String what, List<CatalogColumn> columns) {
    if (!ChangelogShape.isOf(columns)) {
      errors.add(Diagnostic.error("RT0529", create.name.getParserPosition(), "The " + what + " has format '" + DEBEZIUM
          + "', whose records are changes: they fill a column OP of an integer type, and a column PAYLOAD of a ROW type",
          "declare op TINYINT and payload ROW(…) with the columns of the table, and read FROM_CHANGELOG of it"));
    }
  }

  /** The columns of the PRIMARY KEY are the key of a record. */
  private void checkKey(SqlCreateRelation create, String what, Connector connector, List<CatalogColumn> columns, List<String> key,
      Map<String, String> options) {
    if (key.isEmpty()) {
      errors.add(Diagnostic.error("RT0529", create.name.getParserPosition(), "The " + what + " has format '" + options.get("format")
          + "', but no PRIMARY KEY, which is the key of its records", "declare PRIMARY KEY (column, …)"));
    }
    for (String role : connector.roles()) {
      CatalogColumn column = column(options.get(role), columns);
      if (column != null && key.contains(column.name())) {
        errors.add(Diagnostic.error("RT0529", place(create, column), "The " + what + " has " + column.name()
            + " in its PRIMARY KEY, but that is the " + role + " of a record", "the PRIMARY KEY has columns of the record's value"));
      }
    }
  }

  /** Refuses a target that cannot be written. */
  static void writable(CatalogObject target, SqlParserPos place) {
    Connector connector = target.connector();
    String what = Conversions.describe(target);
    if (!connector.exists()) {
      throw new DiagnosticException(List.of(Conversions.unknown(what, connector, place)));
    }
    if (!connector.writes()) {
      List<String> others = Connector.all().filter(Connector::writes).map(other -> "'" + other.name() + "'").toList();
      int last = others.size() - 1;
      throw new DiagnosticException("RT0527", place, "The " + what + " cannot be written: its connector is '" + connector.name() + "'",
          "rows can be inserted only if the connector is " + String.join(", ", others.subList(0, last)) + " or " + others.get(last));
    }
    if (isDebezium(target.options())) {
      throw new DiagnosticException("RT0527", place, "The " + what + " cannot be written: its records are the events of Debezium",
          "write changes with format 'json', by INSERT INTO … SELECT STREAM * FROM TO_CHANGELOG((SELECT …))");
    }
    if (target.isChangelog() && connector.hasUpserts(target.options())) {
      throw new DiagnosticException("RT0527", place, "The " + what + " cannot be written: it has the changes of the rows of its topic",
          "insert the rows into a FOREIGN TABLE of the same topic, with their columns and a PRIMARY KEY");
    }
    String path = target.options().get("path");
    if (connector.localFolder() && path != null && NOT_LOCAL.matcher(path).find()) {
      throw new DiagnosticException("RT0527", place, "The " + what + " cannot be written: '" + path + "' is not a local folder",
          "insert into one with a path on this machine");
    }
  }

  /** Refuses values for columns that the connector fills, raw records without a value, and records without a key. */
  static void checkInsert(CatalogObject target, List<CatalogColumn> columns, SqlInsert insert) {
    Connector connector = target.connector();
    for (String role : connector.readOnly()) {
      CatalogColumn column = column(target.options().get(role), target.columns());
      if (column != null && columns.contains(column) && !column.name().equals(CatalogObject.ROWTIME)) {
        SqlNode named = insert.getTargetColumnList() == null ? insert.getTargetTable() : insert.getTargetColumnList().get(columns.indexOf(column));
        throw new DiagnosticException("RT0529", named.getParserPosition(), "The " + Conversions.describe(target)
            + " cannot be given a value for " + column.name() + ": " + connector.name() + " fills the " + role + " of a record",
            "name the other columns in the INSERT, and leave this one out");
      }
    }
    List<CatalogColumn> value = rawValue(connector, target.columns(), target.options());
    if (value != null && !columns.containsAll(value)) {
      throw new DiagnosticException("RT0529", insert.getTargetColumnList().getParserPosition(), "The " + Conversions.describe(target)
          + " has format 'raw', but the rows have no " + value.get(0).name() + ", which is the record", "name that column in the INSERT as well");
    }
    List<String> filled = columns.stream().map(CatalogColumn::name).toList();
    if (connector.hasUpserts(target.options()) && !filled.containsAll(target.primaryKey())) {
      throw new DiagnosticException("RT0529", insert.getTargetColumnList().getParserPosition(), "The " + Conversions.describe(target)
          + " has records by the key (" + String.join(", ", target.primaryKey()) + "), which the rows do not fill",
          "name these columns in the INSERT as well");
    }
  }

  /** Returns the columns that a raw record would contain; null if records are not raw, or the columns are not known. */
  private static List<CatalogColumn> rawValue(Connector connector, List<CatalogColumn> columns, Map<String, String> options) {
    if (!connector.rawRecords() || !"raw".equalsIgnoreCase(options.get("format"))
        || connector.roles().stream().anyMatch(role -> options.containsKey(role + "_env") || options.containsKey(role + "_file"))) {
      return null;
    }
    List<CatalogColumn> value = new ArrayList<>(columns);
    value.removeIf(column -> column.name().equals(CatalogObject.ROWTIME));
    value.removeAll(connector.roles().stream().map(role -> column(options.get(role), columns)).filter(Objects::nonNull).toList());
    return value;
  }

  /** Returns the column that an option names, in that case or in upper case; null if there is none. */
  private static CatalogColumn column(String named, Collection<CatalogColumn> columns) {
    return named == null ? null : Stream.of(named, named.toUpperCase(Locale.ROOT))
        .flatMap(name -> columns.stream().filter(column -> column.name().equals(name))).findFirst().orElse(null);
  }

  private static SqlParserPos place(SqlCreateRelation create, CatalogColumn column) {
    return create.elements.stream().filter(element -> element instanceof SqlColumnDeclaration declared
        && declared.name.getSimple().equalsIgnoreCase(column.name())).map(SqlNode::getParserPosition).findFirst()
        .orElse(create.name.getParserPosition());
  }

  private static String describe(CatalogColumn column) {
    return column.name() + " " + column.type();
  }
}
