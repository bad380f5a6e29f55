package io.rowtime.plan.constant;

import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.validate.Environment;
import io.rowtime.validate.RowtimeValidator;
import java.math.BigDecimal;
import java.util.Map;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Computes the amounts of LATENESS and WATERMARK clauses as numbers. */
public final class Distances {
  private Distances() {}

  /**
   * Returns the value of a checked constant expression: milliseconds for a day-time interval, else the number; null if
   * it has no value.
   */
  public static BigDecimal of(String sql) {
    SqlNode node = StoredSql.expression(sql);
    Long millis = Constants.millis(node);
    if (millis != null) {
      return BigDecimal.valueOf(millis);
    }
    BigDecimal number = Constants.number(node);
    return number != null ? number : evaluate(node);
  }

  private static BigDecimal evaluate(SqlNode node) {
    Environment environment = new Environment(CatalogSnapshot.EMPTY);
    RowtimeValidator validator = environment.validator();
    RelOptCluster cluster = environment.cluster();
    RexNode expression = new SqlToRelConverter((rowType, query, path, view) -> { throw new UnsupportedOperationException(); },
        validator, environment.reader(), cluster, StandardConvertletTable.INSTANCE, SqlToRelConverter.config())
        .convertExpression(validator.validateParameterizedExpression(node, Map.of()));
    RexLiteral value = ConstantRows.value(cluster.getRexBuilder(), expression);
    return value == null ? null : value.getValueAs(BigDecimal.class);
  }
}
