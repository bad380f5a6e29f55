package io.rowtime.operator.changelog;

import io.rowtime.operator.spec.ChangelogSpec;
import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.state.StatefulOperators;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** TO_CHANGELOG and FROM_CHANGELOG of streams as functions of DataFrames. */
public final class ChangelogOperator {
  private ChangelogOperator() {}

  /**
   * Returns the changes of a result.
   *
   * @param rows the changes that an operator below has made
   * @return the columns of the spec, and {@code rowtime_op}, a TINYINT: 0 for a row that is inserted, 1 for one that is replaced, 2 for
   *     the row that replaces it, 3 for one that is deleted
   */
  public static Dataset<Row> changelog(Dataset<Row> rows, ChangelogSpec spec) {
    // Elsewhere, rows that are equal in the key, or without a key equal rows, can be anywhere, and what they change in all could depend
    // on the partitions.
    List<String> by = spec.key() == null ? spec.columns() : spec.key();
    Dataset<Row> placed = spec.placed() ? rows : by.isEmpty() ? rows.coalesce(1) : rows.repartition(Frames.columns(by));
    StructType schema = placed.schema();
    StructType output = new StructType();
    for (String column : spec.columns()) {
      output = output.add(schema.apply(column));
    }
    output = output.add("rowtime_op", DataTypes.ByteType, false);
    return placed.as(InternalRows.encoder(schema)).mapPartitions(new NetChanges(spec, schema), InternalRows.encoder(output)).toDF();
  }

  /**
   * Returns what the changes of a changelog add to a result, and retract from it.
   *
   * @param changes a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @return the columns of the spec, and {@link io.rowtime.operator.spec.UpdatingGroupSpec#CHANGE}
   */
  public static Dataset<Row> rows(Dataset<Row> changes, FromChangelogSpec spec) {
    StructType input = StatefulOperators.input(changes.schema());
    return StatefulOperators.run(changes, spec.key() == null ? spec.columns() : spec.key(),
        () -> spec.key() == null ? new RowCounts(spec, input) : new LatestRows(spec, input), ChangedRows.output(spec, input));
  }
}
