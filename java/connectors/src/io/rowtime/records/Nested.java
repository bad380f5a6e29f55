package io.rowtime.records;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Converts JSON text to arrays, maps and rows in Spark's internal form. */
final class Nested {
  private final String text;
  private final JsonParser json;
  private final Map<StructType, Map<String, Integer>> names = new HashMap<>();

  private Nested(String text, JsonParser json) {
    this.text = text;
    this.json = json;
  }

  static boolean is(DataType type) {
    return type instanceof ArrayType || type instanceof MapType || type instanceof StructType;
  }

  /** @throws IllegalArgumentException (or any exception of {@link Cells}) if the text is not of that type */
  static Object read(String text, DataType type, ValueForm form) {
    try (JsonParser json = io.rowtime.records.JsonParser.FACTORY.createParser(text)) {
      json.nextToken();
      Object found = new Nested(text, json).value(type, form);
      if (found == null || json.nextToken() != null) {
        throw new IllegalArgumentException();
      }
      return found;
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Returns the value whose first token has been read, and reads up to its last token. */
  private Object value(DataType type, ValueForm form) throws IOException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    } else if (type instanceof StructType row) {
      expect(JsonToken.START_OBJECT);
      return row(row, form);
    } else if (type instanceof ArrayType array) {
      expect(JsonToken.START_ARRAY);
      List<Object> found = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        found.add(value(array.elementType(), form.parts().get(0)));
      }
      return new GenericArrayData(found.toArray());
    } else if (type instanceof MapType map) {
      expect(JsonToken.START_OBJECT);
      return map(map, form);
    } else if (type instanceof BinaryType) {
      // The form in which Spark writes bytes to JSON.
      expect(JsonToken.VALUE_STRING);
      return Cells.bytes(json.getBinaryValue(), form);
    }
    if (!token.isScalarValue() && !(type instanceof StringType)) {
      throw new IllegalArgumentException();
    }
    return Cells.convert(io.rowtime.records.JsonParser.text(json, text), type, form);
  }

  private Object row(StructType type, ValueForm form) throws IOException {
    Map<String, Integer> places = names.computeIfAbsent(type, Nested::places);
    Object[] found = new Object[type.length()];
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      Integer place = places.get(name);
      if (place == null) {
        place = places.get(name.toUpperCase(Locale.ROOT));
      }
      json.nextToken();
      if (place == null) {
        json.skipChildren();
      } else {
        found[place] = value(type.apply((int) place).dataType(), form.parts().get(place));
      }
    }
    return new GenericInternalRow(found);
  }

  /** Returns the fields of a row by name, and by upper-case name where that is not ambiguous. */
  private static Map<String, Integer> places(StructType type) {
    Map<String, Integer> found = new HashMap<>();
    for (int i = 0; i < type.length(); i++) {
      found.put(type.apply(i).name(), i);
    }
    for (int i = 0; i < type.length(); i++) {
      found.putIfAbsent(type.apply(i).name().toUpperCase(Locale.ROOT), i);
    }
    return found;
  }

  /** If several entries have the same key, the last one counts. */
  private Object map(MapType type, ValueForm form) throws IOException {
    Map<Object, Object> found = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      Object key = Cells.convert(json.currentName(), type.keyType(), form.parts().get(0));
      json.nextToken();
      found.put(key, value(type.valueType(), form.parts().get(1)));
    }
    return new ArrayBasedMapData(
        new GenericArrayData(found.keySet().toArray()), new GenericArrayData(found.values().toArray()));
  }

  private void expect(JsonToken token) {
    if (json.currentToken() != token) {
      throw new IllegalArgumentException();
    }
  }
}
