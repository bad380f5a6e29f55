package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** Expressions of the plan contract that Calcite computes over Spark's values. */
public final class CalciteExpressionTest {
  private static final String TEXT = "{\"kind\":\"ref\",\"index\":%d,\"type\":\"VARCHAR\",\"nullable\":true}";

  @Test public void computesWhatSparkHasNot() {
    CalciteExpression value = computed("JSON_VALUE", "INTEGER", "INT", "a0 STRING",
        String.format(TEXT, 0) + ",{\"kind\":\"literal\",\"type\":\"CHAR(3)\",\"nullable\":false,\"value\":\"$.a\"}", String.format(TEXT, 0));
    assertEquals(12, value.evaluate(row(UTF8String.fromString("{\"a\": 12}"))));
    assertNull(value.evaluate(row(UTF8String.fromString("{}"))));
    assertNull(value.evaluate(row((Object) null)));
  }

  @Test public void keepsTheDigitsOfDecimals() {
    String decimal = "{\"kind\":\"ref\",\"index\":0,\"type\":\"DECIMAL(10, 2)\",\"nullable\":true}";
    String places = "{\"kind\":\"literal\",\"type\":\"INTEGER\",\"nullable\":false,\"value\":1}";
    CalciteExpression rounded = computed("ROUND", "DECIMAL(10, 2)", "DECIMAL(10, 2)", "a0 DECIMAL(10, 2)", decimal + "," + places, decimal);
    assertEquals(Decimal.apply(-120, 10, 2), rounded.evaluate(row(Decimal.apply(-115, 10, 2))));
  }

  @Test public void travelsToOtherMachines() throws Exception {
    CalciteExpression there = computed("LEVENSHTEIN", "INTEGER", "INT", "a0 STRING, a1 STRING",
        String.format(TEXT, 0) + "," + String.format(TEXT, 1), String.format(TEXT, 0) + "," + String.format(TEXT, 1));
    there.evaluate(row(UTF8String.fromString("a"), UTF8String.fromString("b")));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(there);
    CalciteExpression here = (CalciteExpression) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertEquals(there, here);
    assertEquals(3, here.evaluate(row(UTF8String.fromString("kitten"), UTF8String.fromString("sitting"))));
  }

  @Test public void namesTheFunctionThatFails() {
    CalciteExpression bad = computed("REGEXP_LIKE", "BOOLEAN", "BOOLEAN", "a0 STRING, a1 STRING",
        String.format(TEXT, 0) + "," + String.format(TEXT, 1), String.format(TEXT, 0) + "," + String.format(TEXT, 1));
    Exception fault = assertThrows(IllegalStateException.class,
        () -> bad.evaluate(row(UTF8String.fromString("a"), UTF8String.fromString("("))));
    assertEquals("REGEXP_LIKE cannot be computed: ", fault.getMessage().substring(0, 32));
  }

  private static CalciteExpression computed(String op, String type, String result, String arguments, String args, String inputs) {
    String json = "{\"kind\":\"call\",\"op\":\"" + op + "\",\"type\":\"" + type + "\",\"nullable\":true,\"args\":[" + args
        + "],\"inputs\":[" + inputs + "]}";
    return new CalciteExpression(json, DataType.fromDDL(result), (StructType) DataType.fromDDL("STRUCT<" + arguments + ">"));
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }
}
