package io.rowtime.records;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.types.DataTypes;
import org.junit.Test;

public class AvroParserTest {
  private static final List<RecordColumn> TARGETS = List.of(new RecordColumn("X", "X", -1, "VARCHAR", DataTypes.StringType, new ValueForm("VARCHAR", -1, List.of()), true));

  private static String record(String type) {
    return "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"x\", \"type\": " + type + "}]}";
  }

  /** Returns a record in Avro's binary format, converted by Avro from its JSON form. */
  private static byte[] bytes(String schema, String json) throws IOException {
    Schema parsed = new Schema.Parser().parse(schema);
    Object value = new GenericDatumReader<>(parsed).read(null, DecoderFactory.get().jsonDecoder(parsed, json));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(parsed).write(value, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static AvroParser parser(String schema) {
    return new AvroParser(RecordFormat.of(Map.of("format", "avro", "avro_schema", schema)), new FieldNames(TARGETS), new UnknownFields());
  }

  private static String text(String type, String json) throws Exception {
    String[] cells = new String[1];
    parser(record(type)).parse(bytes(record(type), "{\"x\": " + json + "}"), cells);
    return cells[0];
  }

  @Test public void fieldsThatFillNoColumnAreCounted() throws Exception {
    String schema = "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"x\", \"type\": \"int\"}, {\"name\": \"y\", \"type\": \"int\"}]}";
    UnknownFields unknown = new UnknownFields();
    AvroParser parser = new AvroParser(RecordFormat.of(Map.of("format", "avro", "avro_schema", schema)), new FieldNames(TARGETS), unknown);
    parser.parse(bytes(schema, "{\"x\": 1, \"y\": 2}"), new String[1]);
    parser.parse(bytes(schema, "{\"x\": 3, \"y\": 4}"), new String[1]);
    assertEquals(Map.of("y", 2L), unknown.take());
  }

  @Test public void valuesAsText() throws Exception {
    assertEquals("-7", text("\"int\"", "-7"));
    assertEquals("true", text("\"boolean\"", "true"));
    assertEquals("1.0E10", text("\"double\"", "1e10"));
    assertEquals("é\n", text("\"string\"", "\"é\\n\""));
    assertEquals("00ff", text("\"bytes\"", "\"\\u0000\\u00ff\""));
    assertEquals("0102", text("{\"type\": \"fixed\", \"name\": \"F\", \"size\": 2}", "\"\\u0001\\u0002\""));
    assertEquals("B", text("{\"type\": \"enum\", \"name\": \"E\", \"symbols\": [\"A\", \"B\"]}", "\"B\""));
    assertEquals(null, text("[\"null\", \"long\"]", "null"));
    assertEquals("5", text("[\"null\", \"long\"]", "{\"long\": 5}"));
  }

  @Test public void logicalTypes() throws Exception {
    assertEquals("2015-02-15", text("{\"type\": \"int\", \"logicalType\": \"date\"}", "16481"));
    assertEquals("00:00:01.500", text("{\"type\": \"int\", \"logicalType\": \"time-millis\"}", "1500"));
    assertEquals("00:00:00.000001", text("{\"type\": \"long\", \"logicalType\": \"time-micros\"}", "1"));
    assertEquals("1969-12-31T23:59:59.999Z", text("{\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}", "-1"));
    assertEquals("1969-12-31T23:59:59.999999Z",
        text("{\"type\": \"long\", \"logicalType\": \"timestamp-micros\"}", "-1"));
    assertEquals("-0.01",
        text("{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 4, \"scale\": 2}", "\"\\u00ff\""));
  }

  @Test public void nestedValuesAreJson() throws Exception {
    String part = "{\"type\": \"record\", \"name\": \"P\", \"fields\": [{\"name\": \"d\", \"type\": "
        + "{\"type\": \"int\", \"logicalType\": \"date\"}}, {\"name\": \"b\", \"type\": \"bytes\"}]}";
    assertEquals("[{\"d\":\"1970-01-01\",\"b\":\"AP8=\"}]",
        text("{\"type\": \"array\", \"items\": " + part + "}", "[{\"d\": 0, \"b\": \"\\u0000\\u00ff\"}]"));
    assertEquals("{\"k\":null}", text("{\"type\": \"map\", \"values\": [\"null\", \"int\"]}", "{\"k\": null}"));
  }

  @Test public void brokenRecordsSaySo() throws Exception {
    String schema = record("{\"type\": \"array\", \"items\": \"string\"}");
    byte[] good = bytes(schema, "{\"x\": [\"abc\"]}");
    String[] cells = new String[1];
    parser(schema).parse(good, cells);
    assertArrayEquals(new String[] {"[\"abc\"]"}, cells);
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      String reason = assertThrows(InvalidRecord.class, () -> parser(schema).parse(cut, cells)).getMessage();
      assertTrue(reason, reason.startsWith("broken Avro: "));
    }
    // A block of 2^30 elements: no memory is allocated for them.
    byte[] huge = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08};
    assertEquals("broken Avro: a block of 1073741824 elements in a record of 5 bytes",
        assertThrows(InvalidRecord.class, () -> parser(schema).parse(huge, cells)).getMessage());
  }

  @Test public void recordsWithoutEnd() {
    // A record that contains itself, nested a million levels deep.
    String schema = "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"x\", \"type\": [\"null\", \"R\"]}]}";
    byte[] deep = new byte[1_000_000];
    Arrays.fill(deep, (byte) 2);
    String reason = assertThrows(InvalidRecord.class, () -> parser(schema).parse(deep, new String[1])).getMessage();
    assertTrue(reason, reason.startsWith("broken Avro: "));
  }
}
