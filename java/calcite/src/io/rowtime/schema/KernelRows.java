package io.rowtime.schema;

import io.delta.kernel.Scan;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.calcite.linq4j.Enumerator;

/** The rows of a Delta Kernel scan, file by file and batch by batch, as values for Calcite. */
final class KernelRows implements Enumerator<Object[]> {
  private final Engine engine;
  private final Row state;
  private final StructType stored;
  private final Optional<Predicate> predicate;
  private final StoredValue[] values;
  private final boolean isLog;
  private final AtomicBoolean cancelled;
  private final Function<Exception, RuntimeException> faults;
  private final CloseableIterator<FilteredColumnarBatch> batches;

  private ColumnarBatch batch;
  private Optional<ColumnVector> selected = Optional.empty();
  private int index;
  private Object[] current;

  /**
   * @param predicate skips row groups of files; rows that do not satisfy it may still be returned
   * @param values the reader of each column
   * @param isLog whether the last column marks the log's control rows
   * @param cancelled ends the rows when it becomes true; may be null
   * @param faults converts an exception of the kernel to the one to throw
   */
  KernelRows(Engine engine, Scan scan, Optional<Predicate> predicate, StoredValue[] values, boolean isLog,
      AtomicBoolean cancelled, Function<Exception, RuntimeException> faults) {
    this.engine = engine;
    this.state = scan.getScanState(engine);
    this.stored = ScanStateRow.getPhysicalDataReadSchema(state);
    this.predicate = predicate;
    this.values = values;
    this.isLog = isLog;
    this.cancelled = cancelled;
    this.faults = faults;
    this.batches = scan.getScanFiles(engine).flatMap(FilteredColumnarBatch::getRows).flatMap(this::open);
  }

  @Override public Object[] current() {
    return current;
  }

  @Override public boolean moveNext() {
    try {
      while (true) {
        while (batch == null || index >= batch.getSize()) {
          if (cancelled != null && cancelled.get() || !batches.hasNext()) {
            return false;
          }
          FilteredColumnarBatch next = batches.next();
          batch = next.getData();
          selected = next.getSelectionVector();
          index = 0;
        }
        int row = index++;
        if (isRow(row)) {
          current = new Object[values.length];
          for (int i = 0; i < values.length; i++) {
            current[i] = values[i].at(batch.getColumnVector(i), row);
          }
          return true;
        }
      }
    } catch (RuntimeException e) {
      throw faults.apply(e);
    }
  }

  @Override public void reset() {
    throw new UnsupportedOperationException();
  }

  @Override public void close() {
    try {
      batches.close();
    } catch (IOException e) {
      throw faults.apply(e);
    }
  }

  /** Returns whether a row of the batch has not been deleted, and is not a control row. */
  private boolean isRow(int row) {
    return selected.map(one -> !one.isNullAt(row) && one.getBoolean(row)).orElse(true)
        && !(isLog && batch.getColumnVector(values.length).getBoolean(row));
  }

  private CloseableIterator<FilteredColumnarBatch> open(Row file) {
    FileStatus status = InternalScanFileUtils.getAddFileStatus(file);
    try {
      CloseableIterator<ColumnarBatch> data = engine.getParquetHandler()
          .readParquetFiles(Utils.singletonCloseableIterator(status), stored, predicate).map(FileReadResult::getData);
      return Scan.transformPhysicalData(engine, state, file, data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
