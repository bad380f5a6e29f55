package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.AvaticaType;
import org.apache.calcite.avatica.ColumnMetaData.Rep;

/**
 * Converts types to Avatica's description. The {@link Backend} sends them as JSON: {@code name} (the encoding of
 * values), {@code jdbc} (the number of {@link Types}), {@code digits}, {@code scale}, {@code size} (display size),
 * {@code text} (the SQL name) and, for an ARRAY, {@code element}.
 */
final class ColumnTypes {
  private ColumnTypes() {}

  static List<ColumnMetaData> columns(JsonNode columns) {
    List<ColumnMetaData> list = new ArrayList<>();
    for (JsonNode column : columns) {
      list.add(column(list.size(), column));
    }
    return list;
  }

  private static ColumnMetaData column(int ordinal, JsonNode column) {
    JsonNode type = column.get("type");
    AvaticaType avatica = type(type);
    String name = column.get("name").asText();
    int nullable = column.get("nullable").asBoolean() ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls;
    boolean text = avatica.id == Types.CHAR || avatica.id == Types.VARCHAR;
    return new ColumnMetaData(ordinal, false, text, true, false, nullable, isSigned(avatica.id), type.get("size").asInt(), name, name,
        "", type.get("digits").asInt(), type.get("scale").asInt(), "", "", avatica, true, false, false, avatica.columnClassName());
  }

  static List<AvaticaParameter> parameters(JsonNode types) {
    List<AvaticaParameter> list = new ArrayList<>();
    for (JsonNode type : types) {
      AvaticaType avatica = type(type);
      list.add(new AvaticaParameter(isSigned(avatica.id), type.get("digits").asInt(), type.get("scale").asInt(), avatica.id,
          avatica.getName(), avatica.columnClassName(), "?" + (list.size() + 1)));
    }
    return list;
  }

  private static AvaticaType type(JsonNode type) {
    String text = type.get("text").asText();
    Rep rep = switch (type.get("name").asText()) {
      case "BOOLEAN" -> Rep.BOOLEAN;
      case "TINYINT" -> Rep.BYTE;
      case "SMALLINT" -> Rep.SHORT;
      case "INTEGER", "DATE", "TIME" -> Rep.INTEGER;
      case "BIGINT", "TIMESTAMP" -> Rep.LONG;
      case "REAL" -> Rep.FLOAT;
      case "DOUBLE" -> Rep.DOUBLE;
      case "DECIMAL" -> Rep.NUMBER;
      case "BINARY", "VARBINARY" -> Rep.BYTE_STRING;
      case "ARRAY" -> Rep.ARRAY;
      default -> Rep.STRING;
    };
    return rep == Rep.ARRAY ? ColumnMetaData.array(type(type.get("element")), text, rep)
        : ColumnMetaData.scalar(type.get("jdbc").asInt(), text, rep);
  }

  private static boolean isSigned(int id) {
    return switch (id) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.REAL, Types.DOUBLE, Types.DECIMAL -> true;
      default -> false;
    };
  }
}
