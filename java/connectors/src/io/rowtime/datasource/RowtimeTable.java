package io.rowtime.datasource;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table of the data source. That learns from its options what it is, of which Spark passes only those of the query; and
 * a provider keeps the first options that it gets. So each use has a provider of its own.
 */
final class RowtimeTable implements Table, SupportsRead, SupportsWrite {
  /** The id of a streaming query, which Spark keeps in its checkpoint. */
  private static final String QUERY = "rowtime.query";

  private final String name;
  private final StructType schema;
  private final CaseInsensitiveStringMap options;
  private final Table table;

  RowtimeTable(String name, StructType schema, CaseInsensitiveStringMap options) {
    this.name = name;
    this.schema = schema;
    this.options = options;
    this.table = table(options);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ofQuery) {
    CaseInsensitiveStringMap all = with(ofQuery, Map.of());
    return ((SupportsRead) table(all)).newScanBuilder(all);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    CaseInsensitiveStringMap all = with(info.options(), Map.of(QUERY, info.queryId()));
    return ((SupportsWrite) table(all)).newWriteBuilder(new Named(info, all));
  }

  private Table table(CaseInsensitiveStringMap all) {
    return RowtimeCatalog.source().getTable(schema, new Transform[0], all.asCaseSensitiveMap());
  }

  private CaseInsensitiveStringMap with(CaseInsensitiveStringMap ofQuery, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(ofQuery.asCaseSensitiveMap());
    all.putAll(options.asCaseSensitiveMap());
    all.putAll(more);
    return new CaseInsensitiveStringMap(all);
  }

  /** A write of a query, with the options that name the table. */
  private record Named(LogicalWriteInfo write, CaseInsensitiveStringMap options) implements LogicalWriteInfo {
    @Override
    public String queryId() {
      return write.queryId();
    }

    @Override
    public StructType schema() {
      return write.schema();
    }

    @Override
    public Optional<StructType> rowIdSchema() {
      return write.rowIdSchema();
    }

    @Override
    public Optional<StructType> metadataSchema() {
      return write.metadataSchema();
    }
  }
}
