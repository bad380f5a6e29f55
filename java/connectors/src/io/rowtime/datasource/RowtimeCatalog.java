package io.rowtime.datasource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The streams and tables of a warehouse as tables of Spark SQL:
 *
 * <pre>
 * spark.sql.catalog.rt            io.rowtime.datasource.RowtimeCatalog
 * spark.sql.catalog.rt.warehouse  the folder of the warehouse (default: $ROWTIME_WAREHOUSE, or else .rowtime)
 * </pre>
 *
 * <p>The catalog has no namespaces. Its definitions are changed with the SQL of rowtime only.
 */
public final class RowtimeCatalog implements TableCatalog {
  private static final String FORMAT = "rowtime";
  /** The name under which the data source lists what it can read. */
  private static final String TABLES = "INFORMATION_SCHEMA.TABLES";
  /** The code of the data source's error for an object that does not exist. */
  private static final String MISSING = "RT0312";

  private String name;
  private CaseInsensitiveStringMap options;

  /** Spark calls it, and then {@link #initialize}. */
  public RowtimeCatalog() {}

  @Override
  public void initialize(String name, CaseInsensitiveStringMap options) {
    this.name = name;
    this.options = options;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length > 0) {
      throw new NoSuchNamespaceException(namespace);
    }
    List<Row> tables = SparkSession.active().read().format(FORMAT).options(options.asCaseSensitiveMap()).load(TABLES)
        .select("TABLE_NAME").collectAsList();
    return tables.stream().map(row -> Identifier.of(namespace, row.getString(0))).toArray(Identifier[]::new);
  }

  @Override
  public Table loadTable(Identifier identifier) throws NoSuchTableException {
    if (identifier.namespace().length > 0) {
      throw new NoSuchTableException(identifier);
    }
    Map<String, String> named = new HashMap<>(options.asCaseSensitiveMap());
    named.put("path", identifier.name());
    CaseInsensitiveStringMap all = new CaseInsensitiveStringMap(named);
    StructType schema;
    try {
      schema = source().inferSchema(all);
    } catch (Exception e) {
      // Scala declares no exceptions.
      if (e instanceof AnalysisException && e.getMessage().contains(MISSING)) {
        throw new NoSuchTableException(identifier);
      }
      throw e;
    }
    return new RowtimeTable(name + "." + identifier.name(), schema, all);
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes) {
    throw readOnly();
  }

  @Override
  public boolean dropTable(Identifier identifier) {
    throw readOnly();
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw readOnly();
  }

  /** Returns a new instance of the data source. */
  static TableProvider source() {
    return DataSource.lookupDataSourceV2(FORMAT, SQLConf.get()).get();
  }

  private UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException(
        "Catalog '" + name + "' does not change definitions: run the statement in a session of rowtime");
  }
}
