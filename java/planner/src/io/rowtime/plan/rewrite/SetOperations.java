package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.AppliedChangelog;
import io.rowtime.validate.function.FromChangelog;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Set operations of streams. Those without duplicates are a GROUP BY of all columns over the UNION ALL of the inputs: UNION is DISTINCT;
 * INTERSECT has the rows that each input has, and EXCEPT those that only the first has, by how often each input has a row. EXCEPT ALL
 * applies a changelog, in which the first input adds rows and the others retract them; {@code a INTERSECT ALL b} is {@code a EXCEPT ALL
 * (a EXCEPT ALL b)}.
 */
public final class SetOperations {
  private SetOperations() {}

  static RelNode replace(RelNode rel, Origins origins) {
    StreamingNodes streams = StreamingNodes.of(rel, true);
    return origins.rewrite(rel, (original, node) -> {
      if (!(node instanceof SetOp operation) || !streams.contains(original) || operation.all && operation instanceof Union) {
        return node;
      }
      if (operation.all) {
        return RelOptUtil.createCastRel(operation instanceof Minus ? except(operation.getInputs(), operation) : intersect(operation), operation.getRowType(), true);
      }
      return operation instanceof Union ? grouped(LogicalUnion.create(operation.getInputs(), true), operation, List.of()) : counted(operation);
    });
  }

  /** Returns the name of the operation that an aggregate computes. */
  public static String name(Aggregate aggregate) {
    return aggregate.getAggCallList().isEmpty() ? "UNION" : aggregate.getAggCallList().get(0).getName();
  }

  private static RelNode intersect(SetOp operation) {
    return operation.getInputs().stream().reduce((left, right) -> except(List.of(left, except(List.of(left, right), operation)), operation)).orElseThrow();
  }

  /** Returns the rows that the first input has more often than the others together. */
  private static RelNode except(List<RelNode> inputs, SetOp operation) {
    List<RelNode> changes = IntStream.range(0, inputs.size())
        .mapToObj(i -> change(inputs.get(i), i == 0 ? FromChangelog.ADDED : FromChangelog.RETRACTED)).toList();
    return AppliedChangelog.create(LogicalUnion.create(changes, true), null, operation.kind.sql + " ALL");
  }

  /** Returns the rows of an input as changes with the last of these numbers. */
  private static RelNode change(RelNode input, List<Integer> ops) {
    RexBuilder rex = input.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(input.getRowType()));
    columns.add(AppliedChangelog.OP, rex.makeLiteral(ops.get(ops.size() - 1), rex.getTypeFactory().createSqlType(SqlTypeName.TINYINT), false));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    names.add(AppliedChangelog.OP, "$op");
    return LogicalProject.create(input, List.of(), columns, names, Set.of());
  }

  private static RelNode grouped(RelNode all, SetOp operation, List<AggregateCall> counts) {
    return LogicalAggregate.create(all, List.of(), ImmutableBitSet.range(operation.getRowType().getFieldCount()), null, counts);
  }

  private static RelNode counted(SetOp operation) {
    RexBuilder rex = operation.getCluster().getRexBuilder();
    int width = operation.getRowType().getFieldCount();
    int inputs = operation.getInputs().size();
    RelNode all = LogicalUnion.create(IntStream.range(0, inputs).mapToObj(input -> marked(operation, input)).toList(), true);
    RelDataType count = rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    List<AggregateCall> calls = IntStream.range(0, inputs).mapToObj(input -> AggregateCall.create(SqlParserPos.ZERO, SqlStdOperatorTable.COUNT, false, false,
        false, List.of(), List.of(), width + input, null, RelCollations.EMPTY, count, operation.kind.sql)).toList();
    RelNode counts = grouped(all, operation, calls);
    RexLiteral none = rex.makeExactLiteral(BigDecimal.ZERO);
    List<RexNode> conditions = IntStream.range(0, inputs).<RexNode>mapToObj(input -> rex.makeCall(
        operation instanceof Minus && input > 0 ? SqlStdOperatorTable.EQUALS : SqlStdOperatorTable.GREATER_THAN, rex.makeInputRef(counts, width + input), none))
        .toList();
    RelNode rows = LogicalFilter.create(counts, RexUtil.composeConjunction(rex, conditions));
    RelNode columns = LogicalProject.create(rows, List.of(), IntStream.range(0, width).mapToObj(i -> rex.makeInputRef(rows, i)).toList(),
        operation.getRowType().getFieldNames(), Set.of());
    return RelOptUtil.createCastRel(columns, operation.getRowType(), false);
  }

  /** Returns the rows of an input, with a column for each input that says whether it is the one that they are from. */
  private static RelNode marked(SetOp operation, int number) {
    RelNode input = operation.getInput(number);
    RexBuilder rex = input.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>(rex.identityProjects(input.getRowType()));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    for (int i = 0; i < operation.getInputs().size(); i++) {
      columns.add(rex.makeLiteral(i == number, rex.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN), false));
      names.add("$from" + i);
    }
    return LogicalProject.create(input, List.of(), columns, names, Set.of());
  }
}
