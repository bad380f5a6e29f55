import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaFactory;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** For Calcite's own JDBC: a schema with a table {@code KEPT} in memory, of the rows that {@link JdbcRates} inserts. */
public class CalciteRows implements SchemaFactory {
  @Override public Schema create(SchemaPlus parent, String name, Map<String, Object> operand) {
    int rows = ((Number) operand.get("rows")).intValue();
    Object[][] made = new Object[rows][];
    for (int n = 0; n < rows; n++) {
      made[n] = new Object[] {1_767_225_600_000L + n, (long) n, "word " + n % 1000};
    }
    return new AbstractSchema() {
      @Override protected Map<String, Table> getTableMap() {
        return Map.of("KEPT", new Kept(made));
      }
    };
  }

  /** A table of rows. */
  public static class Kept extends AbstractTable implements ScannableTable {
    private final Object[][] rows;

    Kept(Object[][] rows) {
      this.rows = rows;
    }

    @Override public RelDataType getRowType(RelDataTypeFactory types) {
      return types.builder().add("ROWTIME", SqlTypeName.TIMESTAMP).add("N", SqlTypeName.BIGINT).add("WORD", SqlTypeName.VARCHAR).build();
    }

    @Override public Enumerable<Object[]> scan(DataContext root) {
      return Linq4j.asEnumerable(rows);
    }
  }
}
