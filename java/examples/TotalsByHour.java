import io.rowtime.parse.Parsers;
import io.rowtime.validate.RowtimeTypeSystem;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.externalize.RelJsonWriter;
import org.apache.calcite.rel.stream.LogicalDelta;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.tools.FrameworkConfig;
import org.apache.calcite.tools.Frameworks;
import org.apache.calcite.tools.RelBuilder;

/**
 * A Calcite program that uses rowtime: it parses streaming SQL with rowtime's parser, and prints a plan made with
 * RelBuilder as JSON that {@code Session.submit_rel} runs.
 *
 * <p>Run it without a build: {@code java -cp 'app/*:planner/*' TotalsByHour.java parse 'SELECT STREAM …'}, or {@code …
 * plan}.
 */
public final class TotalsByHour {
  private TotalsByHour() {}

  public static void main(String[] arguments) throws Exception {
    FrameworkConfig config = Frameworks.newConfigBuilder()
        .defaultSchema(schema())
        .parserConfig(Parsers.CONFIG)
        .typeSystem(RowtimeTypeSystem.INSTANCE)
        .build();
    if (arguments[0].equals("parse")) {
      SqlNode statement = Frameworks.getPlanner(config).parse(arguments[1]);
      System.out.println(statement.getClass().getSimpleName() + ": " + statement.toString().replaceAll("\\s+", " "));
    } else {
      RelJsonWriter writer = new RelJsonWriter();
      totals(RelBuilder.create(config)).explain(writer);
      System.out.println(writer.asString());
    }
  }

  /** Returns a streaming query: the units sold of each product in each hour. */
  private static RelNode totals(RelBuilder builder) {
    RelNode hours = builder.scan("ORDERS")
        .project(
            builder.alias(builder.call(SqlStdOperatorTable.FLOOR, builder.field("ROWTIME"),
                builder.getRexBuilder().makeFlag(TimeUnitRange.HOUR)), "ROWTIME"),
            builder.field("PRODUCTID"), builder.field("UNITS"))
        .aggregate(builder.groupKey("ROWTIME", "PRODUCTID"), builder.sum(builder.field("UNITS")).as("UNITS"))
        .build();
    return LogicalDelta.create(hours);
  }

  /** Returns a schema with the stream as in the catalog of a warehouse: same name, same columns. */
  private static SchemaPlus schema() {
    SchemaPlus schema = Frameworks.createRootSchema(false);
    schema.add("ORDERS", new AbstractTable() {
      @Override public RelDataType getRowType(RelDataTypeFactory types) {
        RelDataType number = types.createTypeWithNullability(types.createSqlType(SqlTypeName.INTEGER), true);
        return types.createStructType(List.of(types.createSqlType(SqlTypeName.TIMESTAMP, 3), number, number),
            List.of("ROWTIME", "PRODUCTID", "UNITS"));
      }
    });
    return schema;
  }
}
