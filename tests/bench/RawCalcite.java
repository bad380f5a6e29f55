import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.StreamableTable;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** A minimal program that parses, validates and converts queries with plain Calcite, for comparison with rowtime. */
public final class RawCalcite {
  private final JavaTypeFactoryImpl types = new JavaTypeFactoryImpl();
  private final CalciteCatalogReader reader;

  public RawCalcite() {
    CalciteSchema root = CalciteSchema.createRootSchema(false, false);
    root.add("ORDERS", new Orders());
    root.add("PRODUCTS", new Products());
    Properties properties = new Properties();
    properties.setProperty("caseSensitive", "false");
    reader = new CalciteCatalogReader(root, List.of(), types, new CalciteConnectionConfigImpl(properties));
  }

  /** Plans one query; returns the number of its columns, so that no work can be optimized away. */
  public int plan(String sql) throws Exception {
    SqlNode parsed = SqlParser.create(sql).parseQuery();
    SqlValidator validator = SqlValidatorUtil.newValidator(SqlStdOperatorTable.instance(), reader, types, SqlValidator.Config.DEFAULT);
    SqlNode valid = validator.validate(parsed);
    VolcanoPlanner planner = new VolcanoPlanner();
    planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
    RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(types));
    RelNode rel = new SqlToRelConverter((a, b, c, d) -> null, validator, reader, cluster,
        StandardConvertletTable.INSTANCE, SqlToRelConverter.config()).convertQuery(valid, false, true).rel;
    return rel.getRowType().getFieldCount();
  }

  /** Plans each query, one per line, of the file that the first argument names. */
  public static void main(String[] args) throws Exception {
    RawCalcite calcite = new RawCalcite();
    int columns = 0;
    for (String sql : Files.readAllLines(Path.of(args[0]))) {
      columns += calcite.plan(sql);
    }
    System.out.println(columns + " columns");
  }

  private static class Orders extends AbstractTable implements StreamableTable {
    @Override public RelDataType getRowType(RelDataTypeFactory f) {
      return f.builder().add("ROWTIME", SqlTypeName.TIMESTAMP).add("PRODUCTID", SqlTypeName.INTEGER)
          .add("ORDERID", SqlTypeName.INTEGER).add("UNITS", SqlTypeName.INTEGER).build();
    }

    @Override public Table stream() {
      return this;
    }

    @Override public Statistic getStatistic() {
      return new Statistic() {
        @Override public List<RelCollation> getCollations() {
          return List.of(RelCollations.of(0));
        }
      };
    }
  }

  private static final class Products extends AbstractTable {
    @Override public RelDataType getRowType(RelDataTypeFactory f) {
      return f.builder().add("ROWTIME", SqlTypeName.TIMESTAMP).add("PRODUCTID", SqlTypeName.INTEGER)
          .add("NAME", SqlTypeName.VARCHAR).build();
    }
  }
}
