package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.sql.SqlMergeInto;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/**
 * Converts expressions over a row of a table, whose columns come first, and a row of a source. They are those of a query that joins
 * the table with a relation that has the columns of the source.
 */
final class MergeExpressions {
  static final String REFUSED = "RT0333";
  private static final String SOURCE = "$source";
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

  private final Environment environment;
  private final SqlMergeInto merge;
  private final CatalogObject table;
  private final RexNode[] columns;
  private RexBuilder builder;

  MergeExpressions(Environment environment, SqlMergeInto merge, CatalogObject table, RelDataType source) {
    this.environment = withSource(environment, source);
    this.merge = merge;
    this.table = table;
    SqlIdentifier alias = TableChanges.alias(merge.alias, merge.target);
    this.columns = all(TableChanges.columnsOf(table, alias), merge.getParserPosition()).toArray(new RexNode[0]);
  }

  private static Environment withSource(Environment environment, RelDataType source) {
    List<CatalogColumn> columns = new ArrayList<>();
    for (RelDataTypeField field : source.getFieldList()) {
      columns.add(new CatalogColumn(field.getName(), TypeText.of(field.getType()), field.getType().isNullable(), null, null, null, null));
    }
    CatalogObject object = new CatalogObject(SOURCE, "TABLE", columns, List.of(), Map.of(), null, false, List.of(), "");
    var change = JsonNodeFactory.instance.objectNode();
    change.putArray("objects").add(Definition.create(object, false).get("object"));
    return environment.with(environment.catalog().with(change));
  }

  RexBuilder builder() {
    return builder;
  }

  RelDataTypeFactory types() {
    return builder.getTypeFactory();
  }

  RelDataType nullable(RelDataType type) {
    return types().createTypeWithNullability(type, true);
  }

  /** Returns a column of the table. */
  RexNode column(int index) {
    return columns[index];
  }

  /** Returns whether all conditions are TRUE, which is TRUE or FALSE. */
  RexNode condition(List<SqlNode> conditions, SqlParserPos place) {
    List<RexNode> all = new ArrayList<>();
    for (SqlNode condition : conditions) {
      all.addAll(all(List.of(TableChanges.condition(condition)), condition.getParserPosition()));
    }
    return all.isEmpty() ? builder.makeLiteral(true) : RexUtil.composeConjunction(builder, all);
  }

  /**
   * Converts expressions.
   *
   * @throws DiagnosticException RT0333 if one needs more than the two rows
   */
  List<RexNode> all(List<SqlNode> nodes, SqlParserPos place) {
    List<SqlNode> items = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      items.add(SqlStdOperatorTable.AS.createCall(nodes.get(i).getParserPosition(), nodes.get(i), new SqlIdentifier("$" + i, NOWHERE)));
    }
    RelNode rel = new QueryPlanner(environment).plan(TableChanges.select(items, from())).converted();
    if (!(rel instanceof Project project && project.getInput() instanceof Join join && join.getLeft().getInputs().isEmpty()
        && join.getRight().getInputs().isEmpty())) {
      throw refused(place);
    }
    builder = rel.getCluster().getRexBuilder();
    project.getProjects().forEach(each -> requireRows(each, place));
    return new ArrayList<>(project.getProjects());
  }

  private SqlNode from() {
    SqlIdentifier alias = TableChanges.alias(merge.alias, merge.target);
    SqlIdentifier source = merge.sourceAlias() == null ? new SqlIdentifier(SOURCE, NOWHERE) : merge.sourceAlias();
    return new SqlJoin(merge.getParserPosition(), TableChanges.as(new SqlIdentifier(table.name(), merge.target.getParserPosition()), alias),
        SqlLiteral.createBoolean(false, NOWHERE), JoinType.INNER.symbol(NOWHERE), TableChanges.as(new SqlIdentifier(SOURCE, merge.source.getParserPosition()), source),
        JoinConditionType.ON.symbol(NOWHERE), SqlLiteral.createBoolean(true, NOWHERE));
  }

  private static void requireRows(RexNode node, SqlParserPos place) {
    node.accept(new RexVisitorImpl<Void>(true) {
      @Override public Void visitCall(RexCall call) {
        if (call.getOperator() instanceof SqlUserDefinedFunction) {
          throw refused(place);
        }
        return super.visitCall(call);
      }

      @Override public Void visitOver(RexOver over) {
        throw refused(place);
      }

      @Override public Void visitSubQuery(RexSubQuery query) {
        throw refused(place);
      }
    });
  }

  private static DiagnosticException refused(SqlParserPos place) {
    return new DiagnosticException(REFUSED, place, "A clause of a pump computes with a row of the source and a row of the table: it cannot have"
        + " sub-queries, aggregates, OVER or functions of users", "compute it in the source: USING (SELECT STREAM …)");
  }
}
