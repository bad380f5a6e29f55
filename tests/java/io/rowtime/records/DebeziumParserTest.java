package io.rowtime.records;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.junit.Test;

/** Events as Debezium writes them, and what is none. */
public class DebeziumParserTest {
  private static final List<RecordColumn> TARGETS = Stream.of("ts_ms", "OP", "PAYLOAD", "source")
      .map(name -> new RecordColumn(name, name, -1, "VARCHAR", DataTypes.StringType, new ValueForm("VARCHAR", -1, List.of()), true)).toList();

  private final DebeziumParser parser = new DebeziumParser(new FieldNames(TARGETS));
  private final String[] cells = new String[TARGETS.size()];

  private List<String> event(String text) throws InvalidRecord {
    assertTrue(parser.parse(text.replace('\'', '"'), cells));
    return Arrays.asList(cells).stream().map(cell -> cell == null ? null : cell.replace('"', '\'')).toList();
  }

  @Test public void eachKindOfChange() throws InvalidRecord {
    assertEquals(Arrays.asList("1700000000000", "0", "{'id': 1}", "{'db': 'x'}"),
        event("{'before': null, 'after': {'id': 1}, 'source': {'db': 'x'}, 'op': 'c', 'ts_ms': 1700000000000, 'transaction': null}"));
    assertEquals(Arrays.asList(null, "0", "{'id': 1}", null), event("{'after': {'id': 1}, 'op': 'r'}"));
    assertEquals(Arrays.asList(null, "2", "{'id': 2}", null), event("{'before': {'id': 1}, 'after': {'id': 2}, 'op': 'u'}"));
    assertEquals(Arrays.asList(null, "3", "{'id': 1}", null), event("{'before': {'id': 1}, 'after': null, 'op': 'd'}"));
  }

  @Test public void theSchemaIsBesideTheEvent() throws InvalidRecord {
    assertEquals(Arrays.asList("1700000000000", "2", "{'id': 2, 'payload': {'op': 'c'}}", null), event("{'schema': {'type': 'struct', 'fields': []}, "
        + "'payload': {'before': null, 'after': {'id': 2, 'payload': {'op': 'c'}}, 'op': 'u', 'ts_ms': 1700000000000}}"));
    assertEquals(Arrays.asList(null, "3", "{'id': 1}", null), event("{'payload': {'before': {'id': 1}, 'op': 'd'}, 'schema': null}"));
  }

  @Test public void aMessageOfAnApplicationIsNoChange() throws InvalidRecord {
    assertFalse(parser.parse("{\"op\": \"m\", \"message\": {\"prefix\": \"p\"}}", cells));
  }

  @Test public void whatIsNoEventSaysWhy() {
    String[][] broken = {
        {"{'id': 1}", "no event of Debezium: it has no field 'op'"},
        {"{'schema': {}, 'payload': {'id': 1}}", "no event of Debezium: it has no field 'op'"},
        {"{'schema': {}, 'payload': null}", "no event of Debezium: it has no field 'op'"},
        {"{'op': 'x', 'after': {}}", "op 'x' is none of c, r, u, d"},
        {"{'op': 't'}", "the table is truncated, which says of no row that it is gone"},
        {"{'op': 'c', 'after': null}", "op 'c' without the row after it"},
        {"{'op': 'd', 'after': {'id': 1}}", "op 'd' without the row before it"},
        {"{'op': 'u', 'after': [1]}", "op 'u' without the row after it"},
        {"[]", "not a JSON object"}};
    for (String[] each : broken) {
      assertEquals(each[1], assertThrows(each[0], InvalidRecord.class, () -> parser.parse(each[0].replace('\'', '"'), cells)).getMessage());
    }
    assertTrue(assertThrows(InvalidRecord.class, () -> parser.parse("{\"op\": ", cells)).getMessage().startsWith("broken JSON: "));
  }
}
