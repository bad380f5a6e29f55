package io.rowtime.records;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.junit.Test;

public class RecordParserTest {
  private static RecordColumn target(String name, String sqlType, DataType type, int length, boolean nullable) {
    return new RecordColumn(name, name, -1, sqlType, type, new ValueForm(sqlType.replaceAll("\\W.*", ""), length, List.of()), nullable);
  }

  private static final RecordColumn UNITS = target("UNITS", "INTEGER", DataTypes.IntegerType, -1, true);
  private static final List<RecordColumn> TARGETS = List.of(
      target("PRODUCTID", "INTEGER", DataTypes.IntegerType, -1, true), target("name", "VARCHAR", DataTypes.StringType, -1, true));

  private static String[] json(String line) throws InvalidRecord {
    String[] cells = new String[TARGETS.size()];
    new JsonParser(new FieldNames(TARGETS), null).parse(line, cells);
    return cells;
  }

  private static String reason(RecordColumn target, String text) {
    return assertThrows(InvalidRecord.class, () -> Cells.read(text, target)).getMessage();
  }

  @Test public void jsonFillsColumnsWhateverTheCase() throws InvalidRecord {
    assertArrayEquals(new String[] {"4", "x"}, json("{\"productId\": 4, \"name\": \"x\", \"other\": [1, {\"a\": 2}]}"));
    assertArrayEquals(new String[] {null, "[1, {\"a\": 2}]"}, json("{\"name\": [1, {\"a\": 2}], \"PRODUCTID\": null}"));
    assertArrayEquals(new String[] {null, null}, json("{}"));
    assertArrayEquals(new String[] {"true", "\u00e9\n"}, json("{\"productid\":true,\"NAME\":\"\\u00e9\\n\"}"));
  }

  @Test public void fieldsThatFillNoColumnAreCounted() throws InvalidRecord {
    UnknownFields unknown = new UnknownFields();
    JsonParser parser = new JsonParser(new FieldNames(TARGETS), unknown);
    parser.parse("{\"name\": \"x\", \"other\": 1, \"nested\": {\"name\": 1, \"x\": 2}}", new String[2]);
    parser.parse("{\"other\": null}", new String[2]);
    assertEquals(Map.of("other", 2L, "nested", 1L), unknown.take());
    assertEquals(Map.of(), unknown.take());
    for (int i = 0; i < 150; i++) {
      unknown.add("f" + i);
    }
    assertEquals(101, unknown.value().size());
    assertEquals(Long.valueOf(50), unknown.value().get("…"));
  }

  @Test public void brokenJsonSaysSo() {
    for (String line : new String[] {"{", "{\"a\"}", "[1]", "7", "{} {}", "{\"a\":1,}", "text"}) {
      String reason = assertThrows(line, InvalidRecord.class, () -> json(line)).getMessage();
      assertEquals(line + ": " + reason, true, reason.startsWith("broken JSON: ") || reason.equals("not a JSON object"));
    }
  }

  @Test public void csvFollowsTheHeader() throws InvalidRecord {
    int[] columns = CsvParser.columns("NAME;extra;productId", ';', TARGETS);
    assertArrayEquals(new int[] {1, -1, 0}, columns);
    String[] cells = new String[2];
    CsvParser csv = new CsvParser(';', columns);
    csv.parse("\"a;\"\"b\"\"\";z;7", cells);
    assertArrayEquals(new String[] {"7", "a;\"b\""}, cells);
    csv.parse("\"\";;", cells);
    assertArrayEquals(new String[] {null, ""}, cells);
    assertEquals("broken CSV: 2 fields, not 3", assertThrows(InvalidRecord.class, () -> csv.parse("a;b", cells)).getMessage());
  }

  @Test public void oneRecordOfCsv() throws InvalidRecord {
    String[] cells = new String[2];
    CsvParser csv = new CsvParser(',', new int[] {0, 1});
    csv.parse("1,\"a\nb\"\r\n", cells);
    assertArrayEquals(new String[] {"1", "a\nb"}, cells);
    assertEquals("broken CSV: more than one line", assertThrows(InvalidRecord.class, () -> csv.parse("1,a\n2,b", cells)).getMessage());
    assertEquals("broken CSV: 0 fields, not 2", assertThrows(InvalidRecord.class, () -> csv.parse("", cells)).getMessage());
    String[] one = {"x"};
    new CsvParser(',', new int[] {0}).parse("", one);
    assertArrayEquals(new String[] {null}, one);
    // Columns that no field fills are skipped.
    RecordColumn given = new RecordColumn("K", null, 3, "VARCHAR", DataTypes.StringType, new ValueForm("VARCHAR", -1, List.of()), true);
    assertArrayEquals(new int[] {1, 2}, CsvParser.columns(null, ',', List.of(given, TARGETS.get(0), TARGETS.get(1))));
  }

  @Test public void reasonsNameColumnValueAndType() {
    assertEquals("UNITS: 'abc' is not an INTEGER", reason(UNITS, "abc"));
    assertEquals("UNITS: '4.5' is not an INTEGER", reason(UNITS, "4.5"));
    assertEquals("UNITS: '3000000000' does not fit in INTEGER", reason(UNITS, "3000000000"));
    assertEquals("UNITS: '1e400' does not fit in INTEGER", reason(UNITS, "1e400"));
    assertEquals("ID: NULL in a column that is NOT NULL", reason(target("ID", "BIGINT", DataTypes.LongType, -1, false), null));
    assertEquals("P: '12345.6' does not fit in DECIMAL(5, 2)",
        reason(target("P", "DECIMAL(5, 2)", DataTypes.createDecimalType(5, 2), -1, true), "12345.6"));
    assertEquals("T: 'noon' is not a TIMESTAMP(3)", reason(target("T", "TIMESTAMP(3)", DataTypes.TimestampType, 3, true), "noon"));
    assertEquals("N: 'abcd' does not fit in VARCHAR(3)", reason(target("N", "VARCHAR(3)", DataTypes.StringType, 3, true), "abcd"));
  }

  @Test public void valuesAreSparks() throws InvalidRecord {
    assertEquals(4, Cells.read(" 4 ", UNITS));
    assertEquals(4, Cells.read("4.0", UNITS));
    assertEquals(1_423_995_425_123_000L, Cells.read("2015-02-15T10:17:05.123999", target("T", "TIMESTAMP(3)", DataTypes.TimestampType, 3, true)));
    assertEquals(Decimal.apply(new java.math.BigDecimal("3.15"), 5, 2),
        Cells.read("3.145", target("P", "DECIMAL(5, 2)", DataTypes.createDecimalType(5, 2), -1, true)));
    assertEquals("ab ", Cells.read("ab", target("C", "CHAR(3)", DataTypes.StringType, 3, true)).toString());
    assertEquals(16_481, Cells.read("2015-02-15", target("D", "DATE", DataTypes.DateType, -1, true)));
    assertEquals(true, Cells.read("TRUE", target("B", "BOOLEAN", DataTypes.BooleanType, -1, true)));
    assertEquals(null, Cells.read(null, UNITS));
  }
}
