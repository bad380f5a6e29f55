package io.rowtime.operator;

import io.rowtime.state.values.Values;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;

/** Each row of a batch followed by its results; valid until the next row is read. */
public final class OutputRows implements Iterator<InternalRow> {
  private final OutputBatch out;
  private final UnsafeRow row;
  private final SpecificInternalRow results;
  private final JoinedRow joined;
  private int next;

  /** @param types the types of the results */
  public OutputRows(OutputBatch out, List<DataType> types) {
    this.out = out;
    this.row = out.rows().view();
    this.results = new SpecificInternalRow(CollectionConverters.asScala(types).toSeq());
    this.joined = new JoinedRow(row, results);
  }

  @Override public boolean hasNext() {
    return next < out.count();
  }

  @Override public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    out.rows().get(out.which()[next], row);
    Values[] columns = out.results();
    for (int i = 0; i < columns.length; i++) {
      columns[i].write(next, results, i);
    }
    next++;
    return joined;
  }
}
