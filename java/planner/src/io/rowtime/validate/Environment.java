package io.rowtime.validate;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.catalog.CatalogTables;
import io.rowtime.catalog.TypeText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** Calcite's objects for planning against one catalog snapshot; can be used for any number of statements. */
public final class Environment {
  private static final CalciteConnectionConfigImpl CONFIG = config();

  private final CatalogSnapshot catalog;
  private final RelDataTypeFactory typeFactory;
  private final CalciteCatalogReader reader;
  private final Map<CatalogObject, SqlFunction> own = new IdentityHashMap<>();
  private final SqlOperatorTable functions;

  public Environment(CatalogSnapshot catalog) {
    this(catalog, new JavaTypeFactoryImpl(RowtimeTypeSystem.INSTANCE) {
      /** Text is Unicode; Calcite's default is Latin-1 only. */
      @Override public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
      }
    });
  }

  /** @param typeFactory a type factory with the {@link RowtimeTypeSystem} */
  public Environment(CatalogSnapshot catalog, RelDataTypeFactory typeFactory) {
    this(catalog, typeFactory, Map.of());
  }

  private Environment(CatalogSnapshot catalog, RelDataTypeFactory typeFactory, Map<CatalogObject, SqlFunction> known) {
    this.catalog = catalog;
    this.typeFactory = typeFactory;
    CatalogTables tables = new CatalogTables(catalog, object -> rowType(object, types()));
    CalciteSchema root = CalciteSchema.createRootSchema(false, false, "", tables);
    this.reader = new CalciteCatalogReader(root, List.of(), typeFactory, CONFIG);
    RowtimeValidator types = types();
    for (CatalogObject object : catalog.objects()) {
      if (object.isFunction()) {
        SqlFunction function = known.get(object);
        own.put(object, function != null ? function : function(object, types));
      } else if (object.isSystem()) {
        CalciteSchema schema = root;
        for (String part : object.path().subList(0, object.path().size() - 1)) {
          CalciteSchema inner = schema.getSubSchema(part, false);
          schema = inner != null ? inner : schema.add(part, new AbstractSchema());
        }
        schema.add(object.path().get(object.path().size() - 1), new CatalogTable(object, rowType(object, types)));
      }
    }
    functions = SqlOperatorTables.of(own.values());
  }

  /** Returns an environment for a later catalog, which shares all that has not changed. */
  public Environment with(CatalogSnapshot following) {
    return new Environment(following, typeFactory, own);
  }

  private static SqlFunction function(CatalogObject object, RowtimeValidator types) {
    return ProcessFunction.isOne(object.options()) ? ProcessFunction.of(object, types) : UserFunction.of(object, types);
  }

  private RowtimeValidator types() {
    return new RowtimeValidator(SqlOperatorTables.of(), reader, typeFactory);
  }

  public CatalogSnapshot catalog() {
    return catalog;
  }

  public RelDataTypeFactory typeFactory() {
    return typeFactory;
  }

  public CalciteCatalogReader reader() {
    return reader;
  }

  /** Returns a new validator, which is for one statement only. */
  public RowtimeValidator validator() {
    return new RowtimeValidator(functions, reader, typeFactory);
  }

  /** Returns a new cluster, which is for one statement only. */
  public RelOptCluster cluster() {
    VolcanoPlanner planner = new VolcanoPlanner(null, Contexts.EMPTY_CONTEXT);
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    // Calcite's decorrelation would evaluate constants itself, where Spark's result may differ: CAST(1.5E0 AS INTEGER).
    planner.setExecutor((builder, expressions, found) -> found.addAll(expressions));
    return RelOptCluster.create(planner, new RexBuilder(typeFactory));
  }

  /** Returns the row type of a catalog object, with the column names of the catalog, in the types of a validator. */
  public static RelDataType rowType(CatalogObject object, RowtimeValidator types) {
    RelDataTypeFactory.Builder builder = types.getTypeFactory().builder();
    for (CatalogColumn column : object.columns()) {
      builder.add(column.name(), TypeText.parse(column.type(), column.nullable(), types));
    }
    return builder.build();
  }

  private static CalciteConnectionConfigImpl config() {
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "false");
    return new CalciteConnectionConfigImpl(properties);
  }
}
