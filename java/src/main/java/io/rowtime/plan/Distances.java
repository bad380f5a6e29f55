package io.rowtime.plan;

import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.parse.Parsers;
import java.math.BigDecimal;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;

/** The amounts that LATENESS and WATERMARK state, as numbers (seed 000). */
public final class Distances {
  private Distances() {}

  /** The value of a checked constant expression: milliseconds where it is a day-time interval, else its number. */
  public static BigDecimal of(String sql) {
    SqlNode node = StoredSql.expression(sql);
    Long millis = Constants.millis(node);
    if (millis != null) {
      return BigDecimal.valueOf(millis);
    }
    BigDecimal number = Constants.number(node);
    return number != null ? number : evaluated(sql);
  }

  private static BigDecimal evaluated(String sql) {
    Environment environment = new Environment(CatalogSnapshot.EMPTY);
    try {
      Planned query = new QueryPlanner(environment).plan(Parsers.parseStatement("SELECT " + sql));
      return ConstantRows.fold(query).rel() instanceof Values values
          ? values.tuples.get(0).get(0).getValueAs(BigDecimal.class) : null;
    } catch (SqlParseException e) {
      throw new IllegalStateException("The catalog is damaged: the expression " + sql + " does not parse", e);
    }
  }
}
