package io.rowtime.lateness;

import io.rowtime.operators.InternalRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** The judge of late rows as a function of DataFrames, for Python to call. */
public final class Lateness {
  private Lateness() {}

  /**
   * Takes out the rows that come too late, by the largest values of earlier micro-batches.
   *
   * @param rows a streaming DataFrame
   * @param values names of the columns that rows are judged by
   * @param thresholds for each of them the name of the column that holds its value less its lateness; of the same type
   * @param falling for each of them whether its values fall
   * @param eachRow for each of them whether a row counts for the next one of its batch
   * @param reasons for each of them what is wrong with a row that fails by it
   * @param control name of the BOOLEAN column that marks control rows, or null
   * @param order name of the TIMESTAMP column by which the rows of a batch are judged one after the other, in one task;
   *     null where their order does not matter
   * @param clock which of {@code thresholds} (a TIMESTAMP) is the bound of the rows, or -1
   * @param names what the first columns are called, for the late rows that are set aside
   * @param folder where the clocks are kept from batch to batch, as a URI; empty for a new query
   * @param aside where late rows are set aside, as a URI
   * @param node number of the plan node
   * @param required names of columns that are NOT NULL, and may hold NULL all the same
   * @param nulls where rows that do are set aside, as a URI
   * @return the same columns
   */
  public static Dataset<Row> judge(Dataset<Row> rows, List<String> values, List<String> thresholds,
      List<Boolean> falling, List<Boolean> eachRow, List<String> reasons, String control, String order, int clock,
      List<String> names, String folder, String aside, int node, List<String> required,
      String nulls) {
    StructType schema = rows.schema();
    List<Judged> columns = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      columns.add(new Judged(schema.fieldIndex(values.get(i)), schema.fieldIndex(thresholds.get(i)), falling.get(i),
          eachRow.get(i), reasons.get(i)));
    }
    Judge judge = new Judge(new Judge.Setup(schema, columns, control == null ? -1 : schema.fieldIndex(control),
        order == null ? -1 : schema.fieldIndex(order), clock, new ArrayList<>(names), folder, aside, node,
        required.stream().map(schema::fieldIndex).map(Integer.class::cast).toList(), nulls));
    Encoder<InternalRow> encoder = InternalRows.encoder(schema);
    Dataset<Row> together = order == null ? rows : rows.coalesce(1);
    return together.as(encoder).mapPartitions(judge, encoder).toDF();
  }
}
