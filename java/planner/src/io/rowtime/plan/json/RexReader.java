package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.build.Keywords;
import io.rowtime.plan.build.RexOperators;
import io.rowtime.validate.Environment;
import io.rowtime.validate.RowtimeValidator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Converts expressions of the plan contract back to Calcite's, the inverse of {@link ExpressionWriter}; see {@link
 * RexOperators}.
 */
public final class RexReader {
  private static final int MAX_DIGITS = 1_000;
  private static final int MAX_COLUMNS = 100_000;

  private final RowtimeValidator types = new Environment(CatalogSnapshot.EMPTY).validator();
  private final RelDataTypeFactory factory = types.getTypeFactory();
  private final RexBuilder rex = new RexBuilder(factory);

  /** Returns a builder for expressions of the same types. */
  public RexBuilder builder() {
    return rex;
  }

  /**
   * Reads an expression of a plan. Nothing in it can name code: operators that the planner does not write are refused.
   *
   * @throws IllegalArgumentException if the JSON is not such an expression
   */
  public RexNode read(JsonNode json) {
    try {
      return node(json);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      // Calcite's own checks failed, or a field is missing.
      throw new IllegalArgumentException("The plan has an expression that cannot be read", e);
    }
  }

  private RexNode node(JsonNode json) {
    return switch (json.get("kind").asText()) {
      case "ref" -> rex.makeInputRef(type(json), column(json.get("index")));
      case "literal" -> literal(json);
      case "symbol" -> rex.makeFlag(Keywords.constant(json.get("value").asText(), json.hasNonNull("set") ? json.get("set").asText() : null));
      case "call" -> rex.makeCall(type(json), RexOperators.named(json.get("op").asText()), all(json.get("args")));
      case "cast" -> rex.makeAbstractCast(type(json), read(json.get("args").get(0)), json.get("safe").asBoolean());
      default -> throw new IllegalArgumentException("Calcite cannot compute this expression of the plan: " + json);
    };
  }

  /**
   * Returns the index of a column, which is limited because Calcite caches the names of all columns up to the highest
   * index requested.
   */
  private static int column(JsonNode index) {
    if (!index.isInt() || index.intValue() < 0 || index.intValue() >= MAX_COLUMNS) {
      throw new IllegalArgumentException("The plan has a reference to a column that cannot exist: " + index);
    }
    return index.intValue();
  }

  private List<RexNode> all(JsonNode args) {
    List<RexNode> read = new ArrayList<>();
    args.forEach(a -> read.add(read(a)));
    return read;
  }

  /** Returns the type of an expression of the plan. */
  public RelDataType type(JsonNode json) {
    return type(json.get("type").asText(), json.get("nullable").asBoolean());
  }

  /** Parses the text of a type. */
  public RelDataType type(String text, boolean nullable) {
    if (text.equals("ANY") || text.equals("NULL")) {
      return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.valueOf(text)), nullable);
    }
    return TypeText.parse(text, nullable, types);
  }

  private RexNode literal(JsonNode json) {
    RelDataType type = type(json);
    JsonNode value = json.path("value");
    if (value.isNull() || value.isMissingNode()) {
      return rex.makeNullLiteral(factory.createTypeWithNullability(type, true));
    }
    return rex.makeLiteral(constant(value, type), type, false);
  }

  private static Object constant(JsonNode value, RelDataType type) {
    String text = value.asText();
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> value.asBoolean();
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> number(text);
      case REAL, FLOAT, DOUBLE -> value.asDouble();
      case BINARY, VARBINARY -> ByteString.of(text, 16);
      case DATE -> new DateString(text);
      case TIME -> new TimeString(text);
      case TIMESTAMP -> new TimestampString(text.replace('T', ' ').replaceFirst("\\.?0+$", text.contains(".") ? "" : "$0"));
      default -> SqlTypeUtil.isInterval(type) ? number(text) : text;
    };
  }

  /** Limits the size, because a few characters can stand for a number of a billion digits. */
  private static BigDecimal number(String text) {
    BigDecimal number = new BigDecimal(text);
    if (Math.abs((long) number.scale()) > MAX_DIGITS || number.precision() > MAX_DIGITS) {
      throw new IllegalArgumentException("The plan has a number that is out of range");
    }
    return number;
  }
}
