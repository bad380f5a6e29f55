package io.rowtime.records;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.spark.InternalRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Converts records to rows, called from Python. */
public final class Records {
  /** The counts of the scans of a query that runs, by the folder of its invalid records; several scans read the same records. */
  private static final Map<String, UnknownFields> UNKNOWN = new ConcurrentHashMap<>();

  private Records() {}

  /**
   * Parses each record.
   *
   * @param records columns: the record (STRING; for Avro BINARY), its file or other source (STRING), the offset of its
   *     piece of the file or its own position there (BIGINT), NULL or why it cannot be read (STRING; the record is then
   *     its beginning, or NULL); then those that fill columns of the rows
   * @param names the columns' names, for messages
   * @param sources the names of the fields that fill them, null for a column that no field fills
   * @param given the column of {@code records} that fills them if it is not NULL; a STRING is parsed like a field; -1
   *     for none
   * @param sqlTypes their SQL types
   * @param forms what these say of their values, see {@link ValueForm#read}
   * @param nullable whether records may lack them
   * @param schema the columns of the result, as Spark's DDL
   * @param layout the format of the records, see {@link RecordFormat}
   * @param badFolder the folder for invalid records
   */
  public static Dataset<Row> read(Dataset<Row> records, List<String> names, List<String> sources, List<Integer> given,
      List<String> sqlTypes, List<String> forms, List<Boolean> nullable, String schema, Map<String, String> layout,
      String badFolder) {
    StructType columns = StructType.fromDDL(schema);
    List<RecordColumn> targets = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      StructField field = columns.apply(i);
      targets.add(new RecordColumn(names.get(i), sources.get(i), given.get(i), sqlTypes.get(i), field.dataType(),
          ValueForm.read(forms.get(i)), nullable.get(i)));
    }
    UnknownFields unknown = new UnknownFields();
    records.sparkSession().sparkContext().register(unknown);
    if (records.isStreaming()) {
      UNKNOWN.put(badFolder, unknown);
    }
    RecordReader reader = new RecordReader(targets, records.schema(), RecordFormat.of(layout), badFolder, unknown);
    return records.as(InternalRows.encoder(records.schema()))
        .mapPartitions(reader, InternalRows.encoder(columns))
        .toDF();
  }

  /**
   * Returns how many records had fields that fill no column, by the name of the field, since this was last called, as JSON.
   *
   * @param badFolder as in {@link #read}
   */
  public static String takeUnknownFields(String badFolder) {
    UnknownFields unknown = UNKNOWN.get(badFolder);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (unknown != null) {
      unknown.take().forEach(json::put);
    }
    return json.toString();
  }
}
