package io.rowtime.records;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * A column of the rows that records are converted to.
 *
 * @param name the column's name, for messages
 * @param source the name of its field in the records, or null if it has none
 * @param given the column beside the record that fills it if it is not NULL; or -1
 * @param sqlType its SQL type as text, for messages
 * @param type its type in Spark
 * @param form what its SQL type says of its values beside the type in Spark
 * @param nullable whether records may lack it
 */
record RecordColumn(String name, String source, int given, String sqlType, DataType type, ValueForm form, boolean nullable)
    implements Serializable {}
