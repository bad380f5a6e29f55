package io.rowtime.adapter;

import io.rowtime.api.SourceAdapter;
import io.rowtime.api.StreamElement;
import io.rowtime.functions.ApiValues;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** Reads elements in a task, with the task's own instance of the adapter. */
final class AdapterReaders implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;

  private final AdapterSettings settings;

  AdapterReaders(AdapterSettings settings) {
    this.settings = settings;
  }

  @Override public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new Reader(settings, (Positions) partition);
  }

  private static final class Reader implements PartitionReader<InternalRow> {
    private final AdapterSettings settings;
    private final StructField[] columns;
    private final SourceAdapter adapter;
    private final Iterator<StreamElement> elements;
    private InternalRow row;

    Reader(AdapterSettings settings, Positions positions) {
      this.settings = settings;
      this.columns = settings.schema().fields();
      this.adapter = settings.open(SourceAdapter.class);
      Iterator<StreamElement> read;
      try {
        read = AdapterFault.guard(settings.label(), () -> adapter.read(positions.from(), positions.to()));
      } catch (RuntimeException e) {
        closeAfter(e);
        throw e;
      }
      this.elements = read;
    }

    @Override public boolean next() {
      return AdapterFault.guard(settings.label(), () -> {
        boolean more = elements != null && elements.hasNext();
        row = more ? row(elements.next()) : null;
        return more;
      });
    }

    @Override public InternalRow get() {
      return row;
    }

    @Override public void close() {
      settings.close(adapter);
    }

    private void closeAfter(RuntimeException fault) {
      try {
        settings.close(adapter);
      } catch (RuntimeException another) {
        fault.addSuppressed(another);
      }
    }

    private InternalRow row(StreamElement element) {
      Object[] values = new Object[columns.length + 1];
      if (element instanceof StreamElement.Bound bound) {
        values[columns.length] = ApiValues.toSpark(bound.time(), DataTypes.TimestampType);
      } else if (element instanceof StreamElement.Row given) {
        fill(values, given.values());
      } else {
        throw new IllegalArgumentException("read returns null instead of a row or a bound");
      }
      return new GenericInternalRow(values);
    }

    private void fill(Object[] values, List<Object> given) {
      if (given.size() != columns.length) {
        throw new IllegalArgumentException("a row of " + given.size() + " values for " + columns.length + " columns");
      }
      for (int i = 0; i < columns.length; i++) {
        try {
          values[i] = ColumnValues.toSpark(given.get(i), columns[i]);
        } catch (IllegalArgumentException | ArithmeticException e) {
          throw new IllegalArgumentException("column " + columns[i].name() + ": " + e.getMessage(), e);
        }
      }
    }
  }
}
