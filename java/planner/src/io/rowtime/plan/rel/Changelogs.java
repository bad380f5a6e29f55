package io.rowtime.plan.rel;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.validate.function.FromChangelog;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.function.TableFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** TO_CHANGELOG, and the unique keys of what it reads. */
public final class Changelogs {
  private Changelogs() {}

  public static boolean isChangelog(RelNode rel) {
    return rel instanceof TableFunctionScan scan
        && RowtimeOperators.inputMode(((RexCall) scan.getCall()).getOperator()) == TableFunction.InputMode.CHANGES;
  }

  /** Returns the columns of the rows that {@code on_key} of TO_CHANGELOG or FROM_CHANGELOG names; null if it is not given. */
  public static List<Integer> onKey(TableFunctionScan changelog) {
    // A rewritten input may have other names: the row in a change has those of the query.
    RelDataType columns = isChangelog(changelog) ? changelog.getRowType().getField(FromChangelog.PAYLOAD, false, false).getType()
        : FromChangelog.described(((RexCall) changelog.getCall()).getOperator(), changelog.getInput(0).getRowType());
    // The DESCRIPTOR has become an array of names, which have been checked.
    return ((RexCall) changelog.getCall()).getOperands().stream().filter(arg -> arg.isA(SqlKind.ARRAY_VALUE_CONSTRUCTOR)).findFirst()
        .map(names -> ((RexCall) names).getOperands().stream()
            .map(name -> columns.getField(RexLiteral.stringValue(name), false, false).getIndex()).toList()).orElse(null);
  }

  /**
   * Returns columns in which no two rows of a result are equal at any time, or by which a row replaces the one that stays of an earlier life
   * of its group ({@link StateTtl}); null if no such columns are known.
   */
  public static List<Integer> uniqueKey(RelNode rel) {
    List<List<Integer>> keys = uniqueKeys(rel);
    return keys.isEmpty() ? renewedKey(rel) : keys.get(0);
  }

  /** Returns whether some columns say which row is replaced. */
  public static boolean identify(List<Integer> columns, RelNode rel) {
    List<Integer> renewed = renewedKey(rel);
    // With further columns, rows of several lives of a group would be beside one another.
    return uniqueKeys(rel).stream().anyMatch(columns::containsAll) || renewed != null && renewed.containsAll(columns) && columns.containsAll(renewed);
  }

  /** Returns whether a row that is equal in columns which {@link #identify} rows can be added though the earlier one is not retracted. */
  public static boolean renews(List<Integer> columns, RelNode rel) {
    return columns != null && renewedKey(rel) != null && uniqueKeys(rel).stream().noneMatch(columns::containsAll);
  }

  /** Returns the keys of groups that can begin anew; null if the result has something else than the latest row of each. */
  private static List<Integer> renewedKey(RelNode rel) {
    if (rel instanceof Project project) {
      List<Integer> key = renewedKey(project.getInput());
      return key == null ? null : projected(project, key);
    }
    if (rel instanceof Filter filter) {
      // The conditions that make a Top-N stay above it.
      return StateTtl.renewed(filter) instanceof TopN ? renewedKey(filter.getInput()) : null;
    }
    if (StateTtl.of(rel) == null) {
      return null;
    }
    return rel instanceof Aggregate aggregate ? ofGroups(aggregate) : rel instanceof TopN rows ? ofFirstRows(rows) : null;
  }

  /** A partition must have one row in each of its lives: with more, an earlier life may have had rows with numbers that the last one lacks. */
  private static List<Integer> ofFirstRows(TopN rows) {
    return rows.hasOneRow() && rows.isWhole() ? rows.partition().asList() : null;
  }

  private static List<Integer> ofGroups(Aggregate aggregate) {
    // With GROUPING SETS, a NULL of the input and the one of a key that is not in the set are alike.
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE ? IntStream.range(0, aggregate.getGroupCount()).boxed().toList() : null;
  }

  /** Returns all columns that are known in which no two rows are equal at any time. */
  public static List<List<Integer>> uniqueKeys(RelNode rel) {
    if (rel instanceof TableScan scan) {
      CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
      // The rows of a stream are versions: several have the same key.
      List<String> key = table == null || table.object().isStream() ? List.of() : table.object().primaryKey();
      return key.isEmpty() ? List.of() : List.of(key.stream().map(name -> rel.getRowType().getFieldNames().indexOf(name)).toList());
    }
    if (rel instanceof Aggregate aggregate) {
      List<Integer> key = StateTtl.of(aggregate) == null ? ofGroups(aggregate) : null;
      return key == null ? List.of() : List.of(key);
    }
    if (rel instanceof TopN rows) {
      return firstRows(rows);
    }
    if (rel instanceof ChangingRows rows) {
      return rows.uniqueKeys();
    }
    if (rel instanceof Filter) {
      return uniqueKeys(rel.getInput(0));
    }
    return rel instanceof Project project
        ? uniqueKeys(project.getInput()).stream().map(key -> projected(project, key)).filter(Objects::nonNull).toList() : List.of();
  }

  private static List<List<Integer>> firstRows(TopN rows) {
    List<Integer> partition = rows.partition().asList();
    List<List<Integer>> keys = new ArrayList<>();
    if (rows.ttl() == null && rows.hasOneRow()) {
      keys.add(partition);
    }
    int width = rows.getInput().getRowType().getFieldCount();
    for (int i = 0; rows.ttl() == null && i < rows.ranks().size(); i++) {
      if (rows.ranks().get(i).function() == RankFunction.ROW_NUMBER) {
        keys.add(Stream.concat(partition.stream(), Stream.of(width + i)).toList());
      }
    }
    // The tasks are those of the partitions.
    uniqueKeys(rows.getInput()).stream().filter(key -> key.containsAll(partition)).forEach(keys::add);
    return keys;
  }

  /** Returns where a projection has the columns of a key; null if it leaves one of them out. */
  private static List<Integer> projected(Project project, List<Integer> key) {
    List<Integer> places = new ArrayList<>();
    for (int column : key) {
      int place = place(project.getProjects(), column);
      if (place < 0) {
        return null;
      }
      places.add(place);
    }
    return places;
  }

  /** Returns whether a cast keeps all values apart: it only makes an INTEGER or a VARCHAR longer, or NULL possible. */
  private static boolean keeps(RelDataType to, RelDataType from) {
    SqlTypeName type = to.getSqlTypeName();
    return SqlTypeUtil.equalSansNullability(to, from)
        || SqlTypeName.INT_TYPES.contains(type) && SqlTypeName.INT_TYPES.contains(from.getSqlTypeName()) && to.getPrecision() >= from.getPrecision()
        || (type == SqlTypeName.VARCHAR || type == SqlTypeName.VARBINARY) && type == from.getSqlTypeName()
            && (to.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED || from.getPrecision() >= 0 && to.getPrecision() >= from.getPrecision());
  }

  static int place(List<RexNode> expressions, int column) {
    for (int i = 0; i < expressions.size(); i++) {
      RexNode expression = expressions.get(i);
      // No two values become equal.
      while (expression.isA(SqlKind.CAST) && keeps(expression.getType(), ((RexCall) expression).getOperands().get(0).getType())) {
        expression = ((RexCall) expression).getOperands().get(0);
      }
      if (expression instanceof RexInputRef ref && ref.getIndex() == column) {
        return i;
      }
    }
    return -1;
  }
}
