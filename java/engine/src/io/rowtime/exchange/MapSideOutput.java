package io.rowtime.exchange;

import io.rowtime.spark.InternalRows;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MapPartitions$;
import org.apache.spark.sql.catalyst.plans.logical.SerializeFromObject;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Returns the results of the rows in a task's {@link MapSideBuffer}, and the rows that passed through. */
public final class MapSideOutput extends AbstractFunction1<scala.collection.Iterator<InternalRow>, scala.collection.Iterator<InternalRow>>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String id;

  /** @param id the id of the {@link MapSideBuffer} */
  public MapSideOutput(String id) {
    this.id = id;
  }

  /**
   * Adds the results to a plan.
   *
   * @param rows the rows, with the {@code input} columns, after a predicate that adds them to the buffer
   * @param id as for the constructor
   */
  public static SerializeFromObject of(LogicalPlan rows, String id, StructType input, StructType output) {
    return (SerializeFromObject) MapPartitions$.MODULE$.apply(new MapSideOutput(id), rows, InternalRows.encoder(input), InternalRows.encoder(output));
  }

  @Override public scala.collection.Iterator<InternalRow> apply(scala.collection.Iterator<InternalRow> rows) {
    return CollectionConverters.asScala(call(CollectionConverters.asJava(rows)));
  }

  public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private MapSideBuffer buffer;
      private Iterator<InternalRow> released = Collections.emptyIterator();
      private InternalRow next;

      @Override public boolean hasNext() {
        if (next == null) {
          next = released.hasNext() ? released.next() : more();
        }
        return next != null;
      }

      /** Returns the first of further rows, or null if there are none. */
      private InternalRow more() {
        // Reading a row adds earlier rows to the buffer; the row that is returned means that the buffer is full, or it
        // passes through.
        InternalRow row = rows.hasNext() ? rows.next() : null;
        if (buffer == null) {
          buffer = MapSideBuffer.ofTask(id);
        }
        if (buffer == null || row != null && !buffer.isFull()) {
          return row;
        }
        released = buffer.release();
        return released.hasNext() ? released.next() : null;
      }

      @Override public InternalRow next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        InternalRow found = next;
        next = null;
        return found;
      }
    };
  }
}
