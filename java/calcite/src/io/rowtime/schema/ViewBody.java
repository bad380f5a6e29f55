package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.RexImpTable;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.ViewExpanders;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Replaces the catalog's tables in the plan of a view by the tables of the schema. Throws RT0900 for calls that Calcite
 * cannot compute: its planner would only report that there are not enough rules.
 */
final class ViewBody extends RelHomogeneousShuttle {
  private final CatalogObject view;
  private final List<String> schemaPath;
  private final RelOptSchema schema;
  private final RelOptTable.ToRelContext context;

  private final RexShuttle expressions;

  ViewBody(CatalogObject view, List<String> schemaPath, RelOptSchema schema, RexBuilder builder,
      RelOptTable.ToRelContext context) {
    this.view = view;
    this.schemaPath = schemaPath;
    this.schema = schema;
    this.context = context;
    this.expressions = new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return super.visitCall(call) instanceof RexCall visited ? checkCall(visited, builder) : call;
      }

      @Override public RexNode visitOver(RexOver over) {
        checkAggregate(over.getAggOperator(), true);
        return super.visitOver(over);
      }

      @Override public RexNode visitSubQuery(RexSubQuery query) {
        RexSubQuery inner = (RexSubQuery) super.visitSubQuery(query);
        return inner.clone(inner.rel.accept(ViewBody.this));
      }
    };
  }

  @Override public RelNode visit(TableScan scan) {
    List<String> name = new ArrayList<>(schemaPath);
    name.add(scan.getTable().unwrapOrThrow(CatalogTable.class).object().name());
    RelOptTable table = schema.getTableForMember(name);
    if (table == null) {
      throw notComputed("'" + name.get(name.size() - 1) + "', which is not in the schema");
    }
    RelNode rows = table.toRel(ViewExpanders.toRelContext(context, scan.getCluster(), scan.getHints()));
    return RelOptUtil.createCastRel(rows, scan.getRowType(), true);
  }

  @Override public RelNode visit(RelNode node) {
    if (node instanceof LatenessFilter) {
      // A relation has no late rows.
      return node.getInput(0).accept(this);
    }
    if (!node.getClass().getName().startsWith("org.apache.calcite.") || node instanceof Snapshot || node instanceof RepeatUnion) {
      throw notComputed(node.getRelTypeName());
    }
    if (node instanceof TableFunctionScan function && !isWindowFunction(function.getCall())) {
      throw notComputed("a table function");
    }
    if (node instanceof Aggregate aggregate) {
      aggregate.getAggCallList().forEach(call -> checkAggregate(call.getAggregation(), false));
    }
    return super.visit(node).accept(expressions);
  }

  /**
   * Returns the call of an expression if Calcite can compute it: rowtime's own {@code ||} over texts is replaced by
   * Calcite's.
   */
  private RexNode checkCall(RexCall call, RexBuilder builder) {
    SqlOperator operator = call.getOperator();
    if (operator == RowtimeOperators.CONCAT && call.getOperands().stream().allMatch(one -> SqlTypeUtil.isCharacter(one.getType()))) {
      return builder.makeCall(call.getType(), SqlStdOperatorTable.CONCAT, call.getOperands());
    }
    if (call.getKind() != SqlKind.SEARCH && RexImpTable.INSTANCE.get(operator) == null) {
      // Calcite's names of group functions start with a dollar sign.
      throw notComputed(operator.getName().replaceFirst("^\\$", ""));
    }
    return call;
  }

  /** Checks an aggregate function. AVG and similar functions become SUM and COUNT. */
  private void checkAggregate(SqlAggFunction function, boolean isWindow) {
    if (!SqlKind.AVG_AGG_FUNCTIONS.contains(function.getKind()) && RexImpTable.INSTANCE.get(function, isWindow) == null) {
      throw notComputed(function.getName());
    }
  }

  private static boolean isWindowFunction(RexNode call) {
    return call instanceof RexCall table && table.getOperator() instanceof SqlWindowTableFunction window
        && RexImpTable.INSTANCE.get(window) != null;
  }

  private WarehouseException notComputed(String what) {
    return new WarehouseException("RT0900", "View '" + view.name() + "' needs " + what + ", which Calcite does not compute",
        "Query it with rowtime", null);
  }
}
