package io.rowtime.records;

import io.rowtime.spark.InternalRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Records as rows, for Python to call. */
public final class Records {
  private Records() {}

  /**
   * Reads each record.
   *
   * @param records columns: the record (STRING; of Avro BINARY), its file or where else it is from (STRING), the offset
   *     of its piece of the file or its own place there (BIGINT), NULL or why it cannot be read (STRING; the record is
   *     then its beginning, or NULL); then those that fill columns of the rows
   * @param names the columns' names, as messages show them
   * @param sources the names of the fields that fill them, null for those that no field fills
   * @param given which column of {@code records} fills them, where that is not NULL: a STRING is read as a field is; -1
   *     for none
   * @param sqlTypes their SQL types
   * @param lengths longest text or precision of each, or -1
   * @param nullable whether records may lack them
   * @param schema the columns of the result, as Spark's DDL
   * @param layout how the records are written, see {@link RecordFormat}
   * @param badFolder where bad records are set aside
   */
  public static Dataset<Row> read(Dataset<Row> records, List<String> names, List<String> sources, List<Integer> given,
      List<String> sqlTypes, List<Integer> lengths, List<Boolean> nullable, String schema, Map<String, String> layout,
      String badFolder) {
    StructType columns = StructType.fromDDL(schema);
    List<TargetColumn> targets = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      StructField field = columns.apply(i);
      targets.add(new TargetColumn(names.get(i), sources.get(i), given.get(i), sqlTypes.get(i), field.dataType(),
          lengths.get(i), nullable.get(i)));
    }
    RecordReader reader = new RecordReader(targets, records.schema(), RecordFormat.of(layout), badFolder);
    return records.as(InternalRows.encoder(records.schema()))
        .mapPartitions(reader, InternalRows.encoder(columns))
        .toDF();
  }
}
