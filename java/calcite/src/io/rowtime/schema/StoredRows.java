package io.rowtime.schema;

import io.delta.kernel.Scan;
import io.delta.kernel.ScanBuilder;
import io.delta.kernel.Snapshot;
import io.delta.kernel.Table;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.rowtime.catalog.CatalogObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.conf.Configuration;

/** The rows of one table or stream, in the newest version of its Delta log. */
final class StoredRows {
  /**
   * The column of a log that is TRUE in control rows, which only contain the bound ({@code
   * rowtime/streams/logtable.py}).
   */
  private static final String CONTROL = "_control";

  private final CatalogObject object;
  private final Path folder;
  private final boolean isMade;
  private final Map<String, String> names;

  /**
   * @param folder the folder of the Delta table
   * @param isMade whether it has ever been written to
   * @param names the names under which its columns are stored; empty if they are all stored, in the order of the catalog
   */
  StoredRows(CatalogObject object, Path folder, boolean isMade, Map<String, String> names) {
    this.object = object;
    this.folder = folder;
    this.isMade = isMade;
    this.names = names;
  }

  /**
   * Reads rows.
   *
   * @param columns all columns of the table
   * @param projects the indexes of the columns to read; null for all
   * @param conditions conditions on the rows; others may still be returned
   */
  Enumerator<Object[]> read(List<RelDataTypeField> columns, int[] projects, List<RexNode> conditions, AtomicBoolean cancelled) {
    if (!Files.isDirectory(folder.resolve("_delta_log"))) {
      if (isMade) {
        throw WarehouseException.damaged(object.name(), "the folder '" + folder.resolve("_delta_log") + "' is missing", null);
      }
      return Linq4j.emptyEnumerator();
    }
    int[] positions = projects == null ? IntStream.range(0, columns.size()).toArray() : projects;
    try {
      LogCommit.checkHead(object, folder);
      Engine engine = engine();
      Snapshot snapshot = Table.forPath(engine, folder.toUri().toString()).getLatestSnapshot(engine);
      StructType all = snapshot.getSchema();
      StructType stored = stored(all);
      List<StructField> wanted = new ArrayList<>();
      StoredValue[] values = new StoredValue[positions.length];
      for (int i = 0; i < positions.length; i++) {
        wanted.add(stored.at(positions[i]));
        values[i] = StoredValue.of(columns.get(positions[i]).getType());
      }
      boolean isLog = all.indexOf(CONTROL) >= 0;
      if (isLog) {
        wanted.add(all.get(CONTROL));
        LogCommit commit = LogCommit.read(object, folder, snapshot.getVersion());
        if (object.isStream()) {
          History.check(object, commit, position(columns, CatalogObject.ROWTIME), conditions);
        }
      }
      Optional<Predicate> predicate = new Predicates(stored).of(conditions);
      ScanBuilder builder = snapshot.getScanBuilder().withReadSchema(new StructType(wanted));
      Scan scan = predicate.map(builder::withFilter).orElse(builder).build();
      return new KernelRows(engine, scan, predicate, values, isLog, cancelled, this::fault);
    } catch (RuntimeException e) {
      throw fault(e);
    }
  }

  /** Returns the stored columns in the order of the catalog. Some have other names, which Delta allows. */
  private StructType stored(StructType all) {
    return names.isEmpty() ? all
        : new StructType(object.columns().stream().map(column -> all.get(names.get(column.name()))).toList());
  }

  private static int position(List<RelDataTypeField> columns, String name) {
    return IntStream.range(0, columns.size()).filter(i -> columns.get(i).getName().equals(name)).findFirst().orElse(-1);
  }

  private WarehouseException fault(Exception e) {
    return KernelFaults.of(object.name(), folder, e);
  }

  private static Engine engine() {
    Configuration settings = new Configuration(false);
    // A bit that flipped on the disk must be an error, and not a different row.
    settings.setBoolean("parquet.page.verify-checksum.enabled", true);
    return DefaultEngine.create(settings);
  }
}
