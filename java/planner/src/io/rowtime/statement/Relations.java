package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Connector;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.OtherTypes;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.build.Untranslated;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlAlterRelation;
import io.rowtime.sql.SqlColumnDeclaration;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlPrimaryKeyConstraint;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;

/** CREATE STREAM, FOREIGN STREAM, TABLE and FOREIGN TABLE. */
final class Relations {
  private static final String STANDARD_TYPES = "types are those of standard SQL: INTEGER, DECIMAL(10, 2), VARCHAR, TIMESTAMP …";
  private static final String ROWTIME_TYPE = "TIMESTAMP(3)";
  private static final Set<SqlTypeName> ZONED = Set.of(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, SqlTypeName.TIMESTAMP_TZ,
      SqlTypeName.TIME_WITH_LOCAL_TIME_ZONE, SqlTypeName.TIME_TZ);

  private final Environment environment;
  private final SqlValidator validator;
  private final List<Diagnostic> errors = new ArrayList<>();

  Relations(Environment environment) {
    this.environment = environment;
    this.validator = environment.validator();
  }

  PlanResult create(SqlCreateRelation create) {
    return create(create, create.getReplace(), environment.catalog().find(Names.fresh(create.name))).within(StatementType.DEFINITION, "CREATE " + create.kind.sql());
  }

  /** ALTER: replaces the object by one that another CREATE statement defines. */
  PlanResult alter(SqlAlterRelation alter) {
    AlteredDefinition altered = new AlteredDefinition(environment, alter);
    SqlCreateRelation create = altered.define();
    return create(create, true, altered.remaining()).within(StatementType.DEFINITION, "ALTER " + alter.kind.sql());
  }

  /** @param old what is replaced, without the column that an ALTER drops; null if there is nothing */
  private PlanResult create(SqlCreateRelation create, boolean replace, CatalogObject old) {
    PlanResult outcome = new PlanResult(StatementType.DEFINITION, "CREATE " + create.kind.sql());
    String name = Names.fresh(create.name);
    // Whoever runs the stored text again must not lose rows.
    String sql = SqlText.of(create.withoutDropRows());
    List<String> key = new ArrayList<>();
    List<CatalogColumn> columns = create.elements == null ? List.of() : columns(create, key);
    if (create.query != null) {
      columns = columnsOfQuery(create, name, columns, outcome);
    } else if (columns.isEmpty() && errors.isEmpty() && !create.kind.isStream()) {
      throw new DiagnosticException("RT0304", create.name.getParserPosition(),
          create.kind.sql() + " '" + name + "' has no columns", "list them: (name type, …)");
    }
    if (create.kind.isStream()) {
      columns = withRowtime(columns);
    }
    Map<String, String> options = new Options(errors).of(create.kind, create.options);
    if (create.kind.isForeign() && options.containsKey(Connector.OPTION)) {
      new ForeignRules(errors).checkCreate(create, name, columns, key, options);
    } else if (create.kind.isForeign()) {
      errors.add(Diagnostic.error("RT0310", create.name.getParserPosition(),
          "A " + create.kind.text() + " needs a connector", "add OPTIONS (connector 'files', path '…', format 'json')"));
    }
    if (errors.isEmpty()) {
      options = new LateStreams(environment, errors).check(create, name, columns, options);
      options = new DeleteColumn(errors).check(create, columns, key, options);
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    CatalogObject object = new CatalogObject(name, create.kind.sql(), columns, key, options, null, false,
        // The sources of its rows may be dropped, because the table has the rows already.
        List.of(), sql);
    if (Definition.admit(environment.catalog(), object, replace, create.ifNotExists, create.name, outcome)) {
      ObjectNode change = Definition.create(object, replace);
      boolean fresh = old != null && replaces(old, object, create, outcome);
      outcome.changeFirst(fresh || create.query != null ? change.put("fresh", true) : change);
    }
    return outcome.object(name);
  }

  /** Judges what becomes of the users and the rows of an object that is replaced. Returns whether it begins without rows. */
  private boolean replaces(CatalogObject old, CatalogObject object, SqlCreateRelation create, PlanResult outcome) {
    if (!Replacement.fits(old, object)) {
      Definition.requireSameColumns(environment.catalog(), object, create.name);
    } else if (!Replacement.isSame(environment.catalog().find(old.name()), object)) {
      Evolution evolution = new Evolution(environment.catalog(), object);
      if (!evolution.fits()) {
        throw evolution.refused(create.name.getParserPosition());
      }
      evolution.tell(outcome);
    }
    boolean fresh = create.query != null || Replacement.dropsRows(old, object, create, outcome);
    if (fresh) {
      // The rows of a replaced table are not those of the query.
      Replacement.requireNoPumps(environment.catalog(), old, create);
    }
    return fresh;
  }

  /**
   * Plans the query that fills a table, and returns the table's columns: the declared ones, else those of the query.
   */
  private List<CatalogColumn> columnsOfQuery(SqlCreateRelation create, String name, List<CatalogColumn> declared, PlanResult outcome) {
    SqlParserPos place = create.query.getParserPosition();
    QueryPlanner planner = new QueryPlanner(environment);
    PlannedQuery planned = planner.plan(create.query);
    if (planned.streaming()) {
      throw new DiagnosticException("RT0326", place, "CREATE TABLE … AS copies the existing rows, but a SELECT STREAM never ends",
          "leave STREAM out, or create the table with its columns, and a pump that inserts into it");
    }
    RelDataType rowType = planned.rel().getRowType();
    List<CatalogColumn> columns = declared.isEmpty() ? columnsOf(rowType, place) : declared;
    if (columns.size() != rowType.getFieldCount()) {
      throw new DiagnosticException("RT0322", place, columns.size() + " columns are declared, but the query has " + rowType.getFieldCount(), null);
    }
    outcome.plan(planner.cast(planned, Inserts.rowType(columns, rowType, environment, place)));
    outcome.target(name, columns.stream().map(CatalogColumn::name).toList());
    return columns;
  }

  private List<CatalogColumn> columns(SqlCreateRelation create, List<String> key) {
    Map<String, CatalogColumn> columns = new LinkedHashMap<>();
    List<SqlIdentifier> keys = new ArrayList<>();
    for (SqlNode element : create.elements) {
      if (element instanceof SqlPrimaryKeyConstraint constraint) {
        constraint.columns.forEach(c -> keys.add((SqlIdentifier) c));
        continue;
      }
      SqlColumnDeclaration declaration = (SqlColumnDeclaration) element;
      if (declaration.primaryKey) {
        keys.add(declaration.name);
      }
      CatalogColumn column = column(declaration, create.kind.isStream());
      if (column != null && columns.put(column.name().toUpperCase(Locale.ROOT), column) != null) {
        error("RT0305", declaration.name, "Column '" + column.name() + "' is declared twice", "give one of them another name");
      }
    }
    for (SqlIdentifier id : keys) {
      CatalogColumn column = columns.get(id.getSimple().toUpperCase(Locale.ROOT));
      if (column == null) {
        error("RT0308", id, "PRIMARY KEY names the column '" + id.getSimple() + "', which is not declared", null);
      } else {
        key.add(column.name());
      }
    }
    return List.copyOf(columns.values());
  }

  private CatalogColumn column(SqlColumnDeclaration declaration, boolean stream) {
    String name = declaration.name.getSimple();
    RelDataType type;
    try {
      type = declaration.type.deriveType(validator);
    } catch (RuntimeException e) {
      SqlIdentifier unknown = UnknownTypes.first(declaration.type);
      error("RT0306", unknown, "Unknown type of column '" + name + "'",
          Objects.requireNonNullElse(OtherTypes.hint(unknown.getSimple()), STANDARD_TYPES));
      return null;
    }
    if (ZONED.contains(type.getSqlTypeName())) {
      error("RT0306", declaration.type, "Column '" + name + "' cannot have a time zone", "all times are UTC: declare it as TIMESTAMP or TIME");
      return null;
    }
    String unknown = Untranslated.type(type);
    if (unknown != null) {
      error("RT0306", declaration.type, "Column '" + name + "' has " + unknown + ", whose values rowtime cannot hold",
          STANDARD_TYPES);
      return null;
    }
    boolean rowtime = stream && name.equalsIgnoreCase(CatalogObject.ROWTIME);
    if (rowtime && !SqlTypeUtil.isTimestamp(type)) {
      error("RT0306", declaration.type, "ROWTIME of a stream must be a TIMESTAMP", "leave it out: every stream has one, or declare ROWTIME TIMESTAMP");
      return null;
    }
    ColumnOrder order = new ColumnOrder(validator, errors);
    if (declaration.monotonic != null) {
      order.monotonic(declaration, rowtime, type);
    }
    String typeText = rowtime ? ROWTIME_TYPE : TypeText.of(type);
    String defaultValue = order.constant(declaration.defaultValue);
    if (defaultValue != null) {
      errors.addAll(new ColumnDefault(environment).check(defaultValue, typeText, declaration.defaultValue.getParserPosition()));
    }
    return new CatalogColumn(name, typeText,
        !rowtime && !Boolean.FALSE.equals(declaration.type.getNullable()),
        order.distance("LATENESS", declaration.lateness, name, type),
        order.distance("WATERMARK", declaration.watermark, name, type),
        declaration.monotonic == null ? null : declaration.monotonic.name(),
        defaultValue);
  }

  private static List<CatalogColumn> columnsOf(RelDataType rowType, SqlParserPos place) {
    List<CatalogColumn> columns = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      if (field.getType().getSqlTypeName() == SqlTypeName.NULL) {
        throw new DiagnosticException("RT0306", place, "Column '" + field.getName() + "' of the query is NULL and has no type", "CAST it: CAST(NULL AS INTEGER)");
      }
      if (hasPartWithInterval(field.getType())) {
        throw new DiagnosticException("RT0306", place,
            "Column '" + field.getName() + "' of the query is " + TypeText.of(field.getType()) + ", and no column can have intervals within another value",
            "store them in columns of their own, or as numbers");
      }
      columns.add(new CatalogColumn(field.getName(), TypeText.of(field.getType()), field.getType().isNullable(), null, null, null, null));
    }
    return columns;
  }

  private static boolean hasPartWithInterval(RelDataType type) {
    return parts(type).stream().anyMatch(part -> SqlTypeUtil.isInterval(part) || hasPartWithInterval(part));
  }

  private static List<RelDataType> parts(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream().map(RelDataTypeField::getType).toList();
    }
    return Stream.of(type.getComponentType(), type.getKeyType(), type.getValueType()).filter(Objects::nonNull).toList();
  }

  private static List<CatalogColumn> withRowtime(List<CatalogColumn> columns) {
    if (columns.stream().anyMatch(c -> c.name().equalsIgnoreCase(CatalogObject.ROWTIME))) {
      return columns;
    }
    List<CatalogColumn> all = new ArrayList<>();
    all.add(new CatalogColumn(CatalogObject.ROWTIME, ROWTIME_TYPE, false, null, null, null, null));
    all.addAll(columns);
    return all;
  }

  private void error(String code, SqlNode place, String message, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
