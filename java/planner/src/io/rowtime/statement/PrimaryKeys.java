package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.StateTtl;
import io.rowtime.plan.rel.TopN;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** The PRIMARY KEY of a target into which a pump inserts a result that changes: it says which row is replaced or deleted. */
final class PrimaryKeys {
  private PrimaryKeys() {}

  /**
   * Returns whether rows of the target can be replaced: it has a PRIMARY KEY, and is a plain table of the warehouse, or has a
   * connector that finds rows by it.
   */
  static boolean takesChanges(CatalogObject target) {
    boolean replaces = target.isForeign() ? target.connector().replaces(target.options()) : target.kind().equals("TABLE") && !target.streamable() && !target.isSystem();
    return replaces && !target.primaryKey().isEmpty();
  }

  /** Returns the places of the primary key among the columns that a statement fills, without those that it omits. */
  static List<Integer> filled(CatalogObject target, List<CatalogColumn> columns) {
    List<String> names = columns.stream().map(CatalogColumn::name).toList();
    return target.primaryKey().stream().map(names::indexOf).filter(place -> place >= 0).toList();
  }

  /** Checks that rows can be found again by a column of this type. */
  static void checkType(RelDataType column, String target, SqlParserPos pos) {
    SqlTypeName type = column.getSqlTypeName();
    if (type == SqlTypeName.ROW || type == SqlTypeName.ARRAY || type == SqlTypeName.MULTISET || type == SqlTypeName.MAP || type == SqlTypeName.VARIANT) {
      throw new DiagnosticException("RT0215", pos, "The result changes, and rows of " + target + " cannot be found again by a key of type " + type,
          "let the PRIMARY KEY consist of columns with a single value");
    }
  }

  /**
   * Checks that a table can replace the rows of a result of groups or partitions that begin anew.
   *
   * @param unique the key that is known of the result; null if none is
   */
  static void checkRenewed(List<Integer> unique, PlannedQuery rows, SqlParserPos pos) {
    RelNode renewed = unique == null || unique.isEmpty() ? StateTtl.renewed(rows.rel()) : null;
    if (renewed instanceof TopN) {
      throw new DiagnosticException("RT0215", pos, "With STATE_TTL, a partition begins anew when its earlier rows are forgotten, which can be replaced only by the columns of"
          + " its PARTITION BY, and only if it has one row, which no other condition leaves out", "select one row of each partition, by ROW_NUMBER() … = 1, and the columns of"
          + " PARTITION BY as they are, and filter when the table is read; or insert the changes, by TO_CHANGELOG((SELECT …))");
    }
    if (renewed != null) {
      throw new DiagnosticException("RT0215", pos, "With STATE_TTL, a group begins anew when its earlier row is forgotten, which can be replaced"
          + " only by the keys of the group, and only if no condition leaves rows out", "select the keys of the GROUP BY as they are, without HAVING or WHERE above it,"
          + " and filter when the table is read; or insert the changes, by TO_CHANGELOG((SELECT …))");
    }
  }

  /**
   * Checks that no two rows of a result are equal in the primary key.
   *
   * @param source the query
   * @param cast the query with its rows in the types of the columns
   */
  static void check(CatalogObject target, List<CatalogColumn> columns, PlannedQuery source, PlannedQuery cast, SqlParserPos pos) {
    String key = String.join(", ", target.primaryKey());
    List<Integer> places = filled(target, columns);
    if (places.size() < target.primaryKey().size()) {
      String omitted = target.primaryKey().stream().filter(name -> columns.stream().noneMatch(column -> column.name().equals(name)))
          .collect(Collectors.joining(", "));
      throw new DiagnosticException("RT0215", pos, "The result changes, and the INSERT omits " + omitted + " of the PRIMARY KEY of '" + target.name()
          + "', so its rows cannot be found again", "fill all columns of the key (" + key + ")");
    }
    for (int place : places) {
      checkType(cast.rel().getRowType().getFieldList().get(place).getType(), "'" + target.name() + "'", pos);
    }
    if (Changelogs.identify(places, cast.rel())) {
      return;
    }
    List<Integer> unique = Changelogs.uniqueKey(cast.rel());
    List<Integer> own = Changelogs.uniqueKey(source.rel());
    checkRenewed(own, source, pos);
    if (own == null) {
      throw new DiagnosticException("RT0215", pos, "Several rows of the result can be equal in the PRIMARY KEY of '" + target.name() + "' (" + key
          + "): no unique key of the query is known", "select the keys of its GROUP BY as they are, and make them the PRIMARY KEY; or insert its changes, by"
          + " TO_CHANGELOG((SELECT …))");
    }
    String names = own.stream().map(column -> source.rel().getRowType().getFieldList().get(column)).map(RelDataTypeField::getName)
        .collect(Collectors.joining(", "));
    if (unique == null) {
      throw new DiagnosticException("RT0215", pos, "The unique key of the query (" + names + ") is converted to other types in '" + target.name()
          + "', so several of its rows could be equal in the PRIMARY KEY (" + key + ")", "give the columns of the key the types that they have in the query");
    }
    String filled = own.stream().map(column -> columns.get(column).name()).collect(Collectors.joining(", "));
    throw new DiagnosticException("RT0215", pos, "Several rows of the result can be equal in the PRIMARY KEY of '" + target.name() + "' (" + key
        + "): the unique key of the query is (" + names + ")", "declare PRIMARY KEY (" + filled + ")");
  }
}
