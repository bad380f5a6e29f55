package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.OptionType;
import io.rowtime.diagnostic.DiagnosticException;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;

/** Where a pump shall begin: offsets of its sources, and names of savepoints. */
final class PumpPlaces {
  private static final int LONGEST_NAME = 200;
  /** As the option {@code start} of connector 'kafka'. */
  private static final Pattern PARTITIONS =
      Pattern.compile("\\s*\\d{1,9}\\s*:\\s*\\d{1,18}\\s*(?:,\\s*\\d{1,9}\\s*:\\s*\\d{1,18}\\s*)*");

  private final CatalogSnapshot catalog;

  PumpPlaces(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** Returns the name of a savepoint. */
  static String save(SqlLiteral literal) {
    String name = literal.getValueAs(String.class);
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new DiagnosticException("RT0346", literal.getParserPosition(),
          "The name of a savepoint has 1 to " + LONGEST_NAME + " characters, and is not blank", null);
    }
    return name;
  }

  /** Returns the offsets by the names of their sources: versions of streams and tables, offsets of the partitions of topics. */
  ObjectNode offsets(SqlNodeList arguments) {
    ObjectNode found = JsonNodeFactory.instance.objectNode();
    for (SqlNode argument : arguments) {
      SqlLiteral offset = ((SqlCall) argument).operand(0);
      SqlIdentifier id = ((SqlCall) argument).operand(1);
      CatalogObject source = Names.existing(catalog, id, "Stream");
      if (found.has(source.name())) {
        throw new DiagnosticException("RT0346", id.getParserPosition(), "The offset of '" + source.name() + "' is given twice", null);
      }
      if (source.isForeign()) {
        found.put(source.name(), partitions(source, offset));
      } else {
        found.put(source.name(), version(source, offset));
      }
    }
    return found;
  }

  private static String partitions(CatalogObject source, SqlLiteral offset) {
    if (source.connector().options().stream().noneMatch(rule -> rule.type() == OptionType.START)) {
      throw new DiagnosticException("RT0346", offset.getParserPosition(), "The position in '" + source.name() + "', whose connector is '"
          + source.connector().name() + "', cannot be set", "streams, ordered tables and topics have offsets");
    }
    String text = offset instanceof SqlNumericLiteral ? offset.toValue() : offset.getValueAs(String.class);
    if (!PARTITIONS.matcher(text).matches()) {
      throw new DiagnosticException("RT0346", offset.getParserPosition(), "'" + text + "' is not an offset of topic '" + source.name() + "'",
          "an offset for each partition: '0:17, 1:4'");
    }
    return text;
  }

  private static long version(CatalogObject source, SqlLiteral offset) {
    if (offset instanceof SqlNumericLiteral number && number.isInteger() && number.bigDecimalValue().precision() <= 18) {
      return number.longValue(true);
    }
    throw new DiagnosticException("RT0346", offset.getParserPosition(), offset + " is not an offset of '" + source.name() + "'",
        "the number of a commit, as the POSITION of SHOW PUMPS has it");
  }
}
