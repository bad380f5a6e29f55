package io.rowtime.records;

import io.rowtime.operators.InternalRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Lines of text as rows, for Python to call. */
public final class Records {
  private Records() {}

  /**
   * Reads a record from each line.
   *
   * @param lines columns: the line (STRING), its file (STRING), the offset of its piece of the file (BIGINT); and, where
   *     {@code given} is not -1, a TIMESTAMP
   * @param names the columns' names, as messages show them
   * @param sources the names of the fields that fill them
   * @param sqlTypes their SQL types
   * @param lengths longest text or precision of each, or -1
   * @param nullable whether records may lack them
   * @param schema the columns of the result, as Spark's DDL
   * @param format {@code json} or {@code csv}
   * @param header whether the first line of each CSV file names the fields
   * @param delimiter between the fields of CSV
   * @param given index of the column that is filled by that timestamp, and not from the line; or -1
   * @param badFolder where bad records are set aside
   */
  public static Dataset<Row> read(Dataset<Row> lines, List<String> names, List<String> sources, List<String> sqlTypes,
      List<Integer> lengths, List<Boolean> nullable, String schema, String format, boolean header, String delimiter,
      int given, String badFolder) {
    StructType columns = StructType.fromDDL(schema);
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      StructField field = columns.apply(i);
      targets.add(new Target(names.get(i), sources.get(i), sqlTypes.get(i), field.dataType(), lengths.get(i),
          nullable.get(i)));
    }
    Lines reader = new Lines(targets, format.equals("json"), header, delimiter.charAt(0), given, badFolder);
    return lines.as(InternalRows.encoder(lines.schema()))
        .mapPartitions(reader, InternalRows.encoder(columns))
        .toDF();
  }
}
