package io.rowtime.plan.convert;

import com.google.common.collect.ImmutableList;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.origin.Clauses;
import io.rowtime.plan.origin.Origin;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.StateTtl;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.WindowedInput;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.RecursionAnchor;
import io.rowtime.validate.UserFunction;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.function.TableFunction;
import io.rowtime.validate.function.WindowFunction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlAvgAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Util;

/**
 * Extends Calcite's conversion to relational algebra: it records where in the text a node comes from, expands views,
 * and supports windows in FROM and as table functions.
 */
public final class RowtimeConverter extends SqlToRelConverter {
  private static final String GROUP_KEY = "$key";
  private static final Config CONFIG = SqlToRelConverter.config()
      .withExpand(false)
      .withTrimUnusedFields(false)
      .withInSubQueryThreshold(Integer.MAX_VALUE)
      .withHintStrategyTable(StateTtl.STRATEGIES)
      .withRelBuilderFactory((cluster, schema) -> new InputsKept(RelBuilder.Config.DEFAULT, cluster, schema))
      // Simplification and uniqueness checks are off: Calcite would compile its metadata handlers for them at the first
      // query of each process, and find nothing that Spark's optimizer does not.
      .withRelBuilderConfigTransform(c -> c.withSimplify(false).withPruneInputOfAggregate(false).withAggregateUnique(true)
          .withRemoveRedundantDistinct(false).withBloat(-1));

  private final ViewExpansion views;
  private final QueryExpansion expansion;
  private final SqlParserPos place;
  private final Origins origins;
  private final Map<SqlSelect, Clauses> clauses;
  private SqlParserPos from = SqlParserPos.ZERO;
  /** The query whose GROUP BY is being converted. */
  private Blackboard grouping;
  /** The result of the last conversion of a query. */
  private RelNode converted;

  /**
   * @param place the position of the text within the statement: the reference to the view whose query is converted, or
   *     null for the statement itself
   * @param clauses the clauses of its queries
   */
  public RowtimeConverter(SqlValidator validator, CalciteCatalogReader reader, RelOptCluster cluster, ViewExpansion views,
      QueryExpansion expansion, SqlParserPos place, Origins origins, Map<SqlSelect, Clauses> clauses) {
    super((rowType, query, path, view) -> { throw new UnsupportedOperationException(); }, validator, reader, cluster,
        new Convertlets(place), CONFIG);
    this.views = views;
    this.expansion = expansion;
    this.place = place;
    this.origins = origins;
    this.clauses = clauses;
  }

  @Override protected void convertAgg(Blackboard bb, SqlSelect select, List<SqlNode> orderExprList, List<SqlNode> selectItems) {
    Blackboard outer = grouping;
    grouping = bb;
    super.convertAgg(bb, select, orderExprList, selectItems);
    grouping = outer;
    Clauses clauses = clauses(select);
    fill(bb.root(), clauses.selectOrigin(), clauses.conditionOrigins());
  }

  @Override protected RelNode createAggregate(Blackboard bb, ImmutableBitSet groupSet,
      ImmutableList<ImmutableBitSet> groupSets, List<AggregateCall> calls) {
    nameGroupKeys(bb);
    Clauses clauses = clauses((SqlSelect) bb.scope.getNode());
    // A second aggregate of a query implements its DISTINCT.
    Origin made = grouping == bb ? clauses.groupOrigin() : clauses.distinctOrigin();
    if (grouping == bb) {
      fill(bb.root(), made, List.of(clauses.whereOrigin()));
    } else {
      fill(bb.root(), clauses.selectOrigin(), clauses.conditionOrigins());
    }
    RelNode rel = super.createAggregate(bb, groupSet, groupSets, calls.stream().map(call -> listagg(groupSets, call)).toList());
    if (rel instanceof LogicalAggregate plain) {
      rel = SessionGroups.of(SessionAggregate.of(plain));
    }
    rel = limited(rel, bb);
    fill(rel, made);
    return rel;
  }

  /** Returns the groups of a query with the limit of its hint: those of its GROUP BY; of its DISTINCT, if there is none. */
  private RelNode limited(RelNode groups, Blackboard bb) {
    SqlSelect select = (SqlSelect) bb.scope.getNode();
    Long ttl = StateTtlHint.of(select);
    return ttl == null || grouping != bb && select.getGroup() != null ? groups : StateTtl.with(groups, ttl);
  }

  /** Returns the new nodes of a SELECT with the limit of its hint where they have windows. */
  private RelNode limited(RelNode rel, long ttl) {
    if (origins.contains(rel) || rel.getInputs().size() != 1) {
      return rel;
    }
    RelNode node = rel.copy(rel.getTraitSet(), List.of(limited(rel.getInput(0), ttl)));
    return node instanceof Project project && RexOver.containsOver(project.getProjects(), null) ? StateTtl.with(project, ttl) : node;
  }

  /** Of STRING_AGG, Calcite makes its own LISTAGG, which is never NULL. */
  private AggregateCall listagg(List<ImmutableBitSet> groupSets, AggregateCall call) {
    if (call.getAggregation() != SqlStdOperatorTable.LISTAGG) {
      return call;
    }
    boolean nullable = call.getType().isNullable() || call.hasFilter() || groupSets.stream().anyMatch(ImmutableBitSet::isEmpty);
    return AggregateCall.create(call.getParserPosition(), RowtimeOperators.LISTAGG, call.isDistinct(), call.isApproximate(), call.ignoreNulls(),
        call.rexList, call.getArgList(), call.filterArg, call.distinctKeys, call.getCollation(),
        typeFactory.createTypeWithNullability(call.getType(), nullable), call.name);
  }

  /**
   * Renames the columns that Calcite computes for GROUP BY. Calcite names them after the select list, where a function
   * of ROWTIME may be called ROWTIME; below the aggregate a column of that name would be taken for the clock of the
   * rows.
   */
  private static void nameGroupKeys(Blackboard bb) {
    if (bb.root() instanceof LogicalProject project) {
      int named = project.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
      if (named >= 0 && !(project.getProjects().get(named) instanceof RexInputRef)) {
        List<String> names = new ArrayList<>(project.getRowType().getFieldNames());
        names.set(named, GROUP_KEY + named);
        bb.setRoot(LogicalProject.create(project.getInput(), project.getHints(), project.getProjects(), names,
            project.getVariablesSet()), false);
      }
    }
  }

  @Override protected void convertOrder(SqlSelect select, Blackboard bb, RelCollation collation,
      List<SqlNode> orderExprList, SqlNode offset, SqlNode fetch) {
    Clauses clauses = clauses(select);
    Long ttl = StateTtlHint.ofWindows(select);
    if (ttl != null) {
      bb.setRoot(limited(bb.root(), ttl), false);
    }
    fill(bb.root(), clauses.selectOrigin(), clauses.conditionOrigins());
    super.convertOrder(select, bb, collation, orderExprList, offset, fetch);
    RelNode rel = bb.root();
    while (!origins.contains(rel) && !(rel instanceof Sort)) {
      origins.put(rel, origin(clauses.selectOrigin()));
      rel = rel.getInput(0);
    }
    fill(rel, clauses.orderOrigin(offset, fetch));
  }

  @Override protected void convertFrom(Blackboard bb, SqlNode node, List<String> fieldNames) {
    if (node != null && node.getKind() == SqlKind.IDENTIFIER) {
      from = node.getParserPosition();
    }
    if (node != null && node.getKind() == SqlKind.OVER) {
      SqlCall over = (SqlCall) node;
      convertFrom(bb, over.operand(0), fieldNames);
      SqlWindow window = bb.scope.getValidator().resolveWindow(over.operand(1), bb.scope);
      RelNode input = bb.root();
      bb.setRoot(new WindowedInput(input.getCluster(), input.getTraitSet(), input, WindowFrames.of(window)), true);
      fill(bb.root(), Origin.of(node.getParserPosition(), node.getParserPosition()));
      return;
    }
    boolean with = node != null && node.getKind() == SqlKind.IDENTIFIER && validator.getNamespace(node).resolve().getNode() != null;
    if (with) {
      expansion.enterWith(place == null ? from : place);
    }
    super.convertFrom(bb, node, fieldNames);
    if (with) {
      expansion.leaveWith();
    }
    if (node instanceof SqlJoin join) {
      fill(bb.root(), Clauses.joinOrigin(join));
    } else if (node != null) {
      fill(bb.root(), Origin.of(node.getParserPosition(), node.getParserPosition()));
    }
  }

  @Override public RelNode toRel(RelOptTable table, List<RelHint> hints) {
    CatalogTable source = table.unwrap(CatalogTable.class);
    SqlParserPos pos = place == null ? from : place;
    RelNode rel = source != null && source.object().isView()
        ? views.expand(source.object(), pos, origins)
        : super.toRel(table, hints);
    fill(rel, Origin.of(pos, pos));
    return rel;
  }

  /** Calcite's last step copies nodes, in order to propagate hints. */
  @Override public RelRoot convertQuery(SqlNode query, boolean needsValidation, boolean top) {
    ConstantList.mark(query, validator, typeFactory);
    RelRoot root = super.convertQuery(query, needsValidation, top);
    origins.recordCopy(converted, root.rel);
    return root;
  }

  @Override protected RelRoot convertQueryRecursive(SqlNode query, boolean top, RelDataType targetRowType) {
    RelRoot root = super.convertQueryRecursive(query, top, targetRowType);
    converted = root.rel;
    fill(converted, Origin.of(query.getParserPosition(), query.getParserPosition()));
    return root;
  }

  @Override protected RelNode convertSetOp(SqlCall call) {
    RelNode rel = setOperation(call);
    fill(rel, Origin.of(null, Clauses.operator(call)));
    return rel;
  }

  private RelNode setOperation(SqlCall call) {
    RelNode rel = super.convertSetOp(call);
    if (!(call.operand(0) instanceof RecursionAnchor)) {
      return rel;
    }
    SqlParserPos step = call.operand(1).getParserPosition();
    RecursionRules.check(rel, place == null ? step : place);
    // A column that may be NULL in a later step is nullable in all rows; the validator has derived it so.
    return rel instanceof RepeatUnion recursion
        ? recursion.copy(rel.getTraitSet(), List.of(nullable(recursion.getSeedRel()), recursion.getIterativeRel())) : nullable(rel);
  }

  private RelNode nullable(RelNode rel) {
    if (rel instanceof Spool spool) {
      return spool.copy(spool.getTraitSet(), List.of(nullable(spool.getInput())));
    }
    return RelOptUtil.createCastRel(rel, RecursionAnchor.nullable(rel.getRowType(), typeFactory), true);
  }

  @Override protected void convertCollectionTable(Blackboard bb, SqlCall call) {
    if (call.getOperator() instanceof TableFunction function && function.inputMode() != TableFunction.InputMode.ROWS
        || call.getOperator() instanceof ProcessFunction) {
      bb.setRoot(tableFunction(bb, call), true);
      return;
    }
    if (call.getOperator() instanceof WindowFunction) {
      bb.setRoot(windows(bb, call), true);
      return;
    }
    super.convertCollectionTable(bb, call);
  }

  /**
   * Converts a call of TUMBLE, HOP or SESSION. Calcite's own conversion would resolve the columns of the DESCRIPTORs in
   * the scope around the call.
   */
  private RelNode windows(Blackboard bb, SqlCall call) {
    RelNode input = input(bb, call.operand(0));
    List<RexNode> args = new ArrayList<>();
    for (SqlNode operand : call.getOperandList().subList(1, call.operandCount())) {
      args.add(operand.getKind() == SqlKind.DESCRIPTOR ? descriptor(input, (SqlCall) operand) : bb.convertExpression(operand));
    }
    RelDataType rowType = bb.scope.getValidator().getValidatedNodeType(call);
    return WindowFunctions.of(LogicalTableFunctionScan.create(cluster, List.of(input), rexBuilder.makeCall(rowType, call.getOperator(), args),
        null, rowType, Set.of()));
  }

  /** Converts the query below a table function. */
  private RelNode input(Blackboard bb, SqlNode query) {
    RelNode rel = convertQueryRecursive(query, false, null).project();
    return named(rel, bb.scope.getValidator().getValidatedNodeType(query).getFieldNames());
  }

  /**
   * Returns the result of a query with the names that {@link #nameGroupKeys} has replaced. Nothing else gives them back
   * where no SELECT list is above the aggregate, as in SELECT DISTINCT.
   */
  public static RelNode named(RelNode rel, List<String> queryNames) {
    List<String> names = new ArrayList<>(rel.getRowType().getFieldNames());
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).startsWith(GROUP_KEY)) {
        names.set(i, queryNames.get(i));
      }
    }
    if (names.equals(rel.getRowType().getFieldNames())) {
      return rel;
    }
    return LogicalProject.create(rel, List.of(), rel.getCluster().getRexBuilder().identityProjects(rel.getRowType()), names, Set.of());
  }

  private RexNode descriptor(RelNode input, SqlCall descriptor) {
    List<RexNode> columns = new ArrayList<>();
    for (SqlNode column : descriptor.getOperandList()) {
      String name = Util.last(((SqlIdentifier) column).names);
      columns.add(rexBuilder.makeInputRef(input, catalogReader.nameMatcher().indexOf(input.getRowType().getFieldNames(), name)));
    }
    return rexBuilder.makeCall(typeFactory.createSqlType(SqlTypeName.COLUMN_LIST), descriptor.getOperator(), columns);
  }

  /**
   * Converts a call of SNAPSHOT or a similar function. For {@code o, LATERAL SNAPSHOT(t, o.rowtime)}, Calcite's own
   * conversion would resolve {@code o.rowtime} in {@code t} after it has converted the table.
   */
  private RelNode tableFunction(Blackboard bb, SqlCall call) {
    List<RexNode> args = new ArrayList<>();
    for (SqlNode operand : call.getOperandList().subList(1, call.operandCount())) {
      args.add(bb.convertExpression(operand));
    }
    RelNode input = input(bb, call.operand(0));
    RelDataType rowType = bb.scope.getValidator().getValidatedNodeType(call);
    if (call.getOperator() instanceof ProcessFunction) {
      return TableProcess.of(call, input, args, rowType);
    }
    return LogicalTableFunctionScan.create(cluster, List.of(input), rexBuilder.makeCall(rowType, call.getOperator(), args),
        null, rowType, Set.of());
  }

  private Clauses clauses(SqlSelect select) {
    return clauses.computeIfAbsent(select, Clauses::of);
  }

  private void fill(RelNode rel, Origin origin) {
    origins.fill(rel, origin(origin));
  }

  /** Assigns origins to the new nodes of a SELECT, from its result downwards. */
  private void fill(RelNode rel, Origin others, List<Origin> conditions) {
    Iterator<Origin> left = conditions.iterator();
    RelNode node = rel;
    while (!origins.contains(node) && node.getInputs().size() == 1) {
      origins.put(node, origin(node instanceof Filter && left.hasNext() ? left.next() : others));
      node = node.getInput(0);
    }
    fill(node, others);
  }

  /** Inside a view, every node has the position of the view's name. */
  private Origin origin(Origin own) {
    return place == null ? own : Origin.view(place);
  }

  /** Replaces the scan of a view by its query. */
  public interface ViewExpansion {
    RelNode expand(CatalogObject view, SqlParserPos reference, Origins origins);
  }

  /** Adds convertlets for rowtime's own operators to Calcite's. */
  private static final class Convertlets implements SqlRexConvertletTable {
    private final ExpansionLimit effort = new ExpansionLimit();
    private final SqlParserPos place;

    Convertlets(SqlParserPos place) {
      this.place = place;
    }

    @Override public SqlRexConvertlet get(SqlCall call) {
      effort.call(call);
      return call.getOperator() == RowtimeOperators.CONCAT ? Concat::convert
          : TruncCalls.matches(call) ? TruncCalls::convert
          : NameCalls.matches(call) ? NameCalls::convert
          : call.getKind() == SqlKind.TIMESTAMP_DIFF ? WeekDifferences::convert
          : call.getOperator() instanceof ConstantList list ? list::convert
          : call.getOperator() instanceof ConstantRowList list ? list::convert
          : call.getOperator() instanceof UserFunction function ? (context, of) -> userCall(context, of, function)
          : call.getOperator() instanceof SqlAvgAggFunction ? Convertlets::keepCall : StandardConvertletTable.INSTANCE.get(standard(call));
    }

    /** Calcite converts some calls more than once, such as those in NULLIF. */
    private RexNode userCall(SqlRexContext context, SqlCall call, UserFunction function) {
      RexCall converted = (RexCall) StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
      return context.getRexBuilder().makeCall(converted.getType(), function.calledAt(place + " " + call.getParserPosition()), converted.getOperands());
    }

    /** Calcite computes a covariance OVER from sums, but only its own function. */
    private static SqlCall standard(SqlCall call) {
      return call.getOperator() == RowtimeOperators.COVAR_SAMP
          ? SqlStdOperatorTable.COVAR_SAMP.createCall(call.getParserPosition(), call.getOperandList()) : call;
    }

    /** Keeps AVG, STDDEV and VARIANCE … OVER as calls; Calcite would expand them to sums, counts and square roots. */
    private static RexNode keepCall(SqlRexContext context, SqlCall call) {
      List<RexNode> args = call.getOperandList().stream().map(context::convertExpression).toList();
      return context.getRexBuilder().makeCall(context.getValidator().getValidatedNodeType(call), call.getOperator(), args);
    }
  }
}
