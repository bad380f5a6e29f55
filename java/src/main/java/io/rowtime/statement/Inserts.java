package io.rowtime.statement;

import io.rowtime.bridge.Diagnostic;
import io.rowtime.bridge.DiagnosticException;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Spelling;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.ConstantRows;
import io.rowtime.plan.Environment;
import io.rowtime.plan.Planned;
import io.rowtime.plan.QueryPlanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** INSERT [EXPEDITED] INTO stream or table. */
final class Inserts {
  private final Environment environment;

  Inserts(Environment environment) {
    this.environment = environment;
  }

  /**
   * Plans an INSERT.
   *
   * @param pump whether it is the body of a pump, which may, and only may, insert a stream
   */
  Outcome insert(SqlInsert insert, boolean pump) {
    Outcome outcome = new Outcome("INSERT");
    if (!(insert.getTargetTable() instanceof SqlIdentifier id)) {
      throw new DiagnosticException("RT0320", insert.getTargetTable().getParserPosition(), "INSERT needs the name of a stream or table",
          "columns are listed without types: INSERT INTO s (a, b) …");
    }
    CatalogObject target = Names.existing(environment.catalog(), id, "Table or stream");
    if (target.isView() || target.isPump()) {
      throw new DiagnosticException("RT0320", id.getParserPosition(), "Cannot insert into " + target.kind() + " '" + target.name() + "'",
          "insert into a stream or a table");
    }
    if (target.isSystem()) {
      throw new DiagnosticException("RT0320", id.getParserPosition(), "'" + target.name() + "' is written by rowtime itself",
          "insert into a stream or a table of your own");
    }
    QueryPlanner planner = new QueryPlanner(environment);
    if (Parameters.typed(insert, target)) {
      outcome.notSupported("parameters ('?') outside a prepared statement");
    }
    SqlParserPos sourcePos = insert.getSource().getParserPosition();
    QueryHints.of(insert.getSource()).forEach(outcome::hint);
    Planned source = planner.plan(insert.getSource());
    List<CatalogColumn> columns = columns(target, insert, source.rel().getRowType().getFieldCount(), sourcePos);
    omitted(target, columns, id.getParserPosition());
    Planned cast = planner.cast(source, rowType(columns, source.rel().getRowType(), target, sourcePos));
    outcome.object(target.name()).target(target.name(), columns.stream().map(CatalogColumn::name).toList());
    outcome.plan(ConstantRows.fold(cast, environment));
    if (pump && !source.streaming()) {
      throw new DiagnosticException("RT0321", sourcePos, "A pump needs a streaming query", "write SELECT STREAM");
    }
    return outcome;
  }

  private static List<CatalogColumn> columns(CatalogObject target, SqlInsert insert, int count, SqlParserPos sourcePos) {
    List<CatalogColumn> all = target.columns();
    if (insert.getTargetColumnList() == null) {
      boolean withoutRowtime = target.isStream() && count == all.size() - 1;
      List<CatalogColumn> columns = withoutRowtime
          ? all.stream().filter(c -> !c.name().equals(CatalogObject.ROWTIME)).toList() : all;
      if (columns.size() != count) {
        throw new DiagnosticException("RT0322", sourcePos, "'" + target.name() + "' has " + all.size() + " columns, and the rows have " + count,
            "name the columns that are given: INSERT INTO " + target.name() + " (" + String.join(", ", all.stream().map(CatalogColumn::name).toList()) + ") …");
      }
      return columns;
    }
    List<CatalogColumn> columns = new ArrayList<>();
    List<Diagnostic> errors = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (SqlNode node : insert.getTargetColumnList()) {
      String name = ((SqlIdentifier) node).getSimple();
      CatalogColumn column = all.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst().orElse(null);
      if (column == null) {
        errors.add(Diagnostic.error("RT0112", node.getParserPosition(), "Column '" + name + "' not found in '" + target.name() + "'",
            Spelling.nearest(name, all.stream().map(CatalogColumn::name).toList()).map(n -> "did you mean '" + n + "'?")
                .orElse("its columns are " + String.join(", ", all.stream().map(CatalogColumn::name).toList()))));
      } else if (!seen.add(column.name())) {
        errors.add(Diagnostic.error("RT0305", node.getParserPosition(), "Column '" + column.name() + "' is named twice", null));
      } else {
        columns.add(column);
      }
    }
    if (errors.isEmpty() && columns.size() != count) {
      errors.add(Diagnostic.error("RT0322", sourcePos, columns.size() + " columns are named, and the rows have " + count, "give one value for each column"));
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return columns;
  }

  /** Every column that is left out must have something to be filled with; ROWTIME of a stream has the clock. */
  private static void omitted(CatalogObject target, List<CatalogColumn> given, SqlParserPos pos) {
    for (CatalogColumn column : target.columns()) {
      boolean clock = target.isStream() && column.name().equals(CatalogObject.ROWTIME);
      if (!column.nullable() && column.defaultValue() == null && !clock && !given.contains(column)) {
        throw new DiagnosticException("RT0323", pos, "Column '" + column.name() + "' has no default value and does not allow NULLs", "give it a value");
      }
    }
  }

  /** Calcite takes a map for another one's type only where keys and values are of the very same. */
  private static boolean canAssign(RelDataType to, RelDataType from) {
    return to.getSqlTypeName() == SqlTypeName.MAP && from.getSqlTypeName() == SqlTypeName.MAP
        ? canAssign(to.getKeyType(), from.getKeyType()) && canAssign(to.getValueType(), from.getValueType())
        : SqlTypeUtil.canAssignFrom(to, from);
  }

  /** The types that the rows are cast to: the columns', with the nullability of what is inserted. */
  private RelDataType rowType(List<CatalogColumn> columns, RelDataType source, CatalogObject target, SqlParserPos pos) {
    RelDataTypeFactory.Builder builder = environment.typeFactory().builder();
    RelDataType all = environment.reader().getTable(target.path()).getRowType();
    for (int i = 0; i < columns.size(); i++) {
      CatalogColumn column = columns.get(i);
      RelDataType from = source.getFieldList().get(i).getType();
      RelDataTypeField field = all.getField(column.name(), true, false);
      if (!SqlTypeUtil.canCastFrom(field.getType(), from, true)
          || !canAssign(field.getType(), from) && !SqlTypeUtil.inCharFamily(from)) {
        throw new DiagnosticException("RT0324", pos, "Column '" + column.name() + "' is " + column.type() + " and cannot take a value of type " + TypeText.of(from),
            "CAST the value");
      }
      builder.add(column.name(), environment.typeFactory().createTypeWithNullability(field.getType(), from.isNullable()));
    }
    return builder.build();
  }
}
