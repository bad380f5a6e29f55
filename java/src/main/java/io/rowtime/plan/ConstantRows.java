package io.rowtime.plan;

import java.util.ArrayList;
import java.util.List;
import com.google.common.collect.ImmutableList;
import org.apache.calcite.DataContexts;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Rows of constant expressions, computed while planning, so that {@code INSERT … VALUES} needs no job. */
public final class ConstantRows {
  private ConstantRows() {}

  /** The same rows as VALUES of literals where the query is nothing but constants; else the query as it is. */
  public static Planned fold(Planned query, Environment environment) {
    List<List<RexNode>> rows = rows(query.rel());
    if (query.streaming() || rows == null || rows.isEmpty()) {
      return query;
    }
    RelDataType rowType = query.rel().getRowType();
    List<RexNode> flat = new ArrayList<>();
    rows.forEach(flat::addAll);
    List<RexNode> reduced = new ArrayList<>();
    if (flat.stream().allMatch(e -> e instanceof RexLiteral)) {
      reduced.addAll(flat);
    } else {
      new RexExecutorImpl(DataContexts.EMPTY).reduce(query.rel().getCluster().getRexBuilder(), flat, reduced);
    }
    int width = rowType.getFieldCount();
    ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
    for (int start = 0; start < reduced.size(); start += width) {
      ImmutableList.Builder<RexLiteral> tuple = ImmutableList.builder();
      for (RexNode value : reduced.subList(start, start + width)) {
        if (!(bare(value) instanceof RexLiteral literal)) {
          return query;
        }
        tuple.add(literal);
      }
      tuples.add(tuple.build());
    }
    RelNode values = new LogicalValues(query.rel().getCluster(), query.rel().getTraitSet(), rowType, tuples.build());
    return new Planned(values, false, query.streams(), query.orders(), query.warnings());
  }

  /** A value of a nullable type that is not NULL comes as a literal in a CAST, which says no more than that. */
  private static RexNode bare(RexNode value) {
    return value instanceof RexCall call && call.isA(SqlKind.CAST) && call.getOperands().get(0) instanceof RexLiteral literal
        && SqlTypeUtil.equalSansNullability(call.getType(), literal.getType()) ? literal : value;
  }

  /** The rows as expressions without inputs; null where the query reads something. */
  private static List<List<RexNode>> rows(RelNode rel) {
    if (rel instanceof Values values) {
      List<List<RexNode>> rows = new ArrayList<>();
      values.tuples.forEach(t -> rows.add(new ArrayList<>(t)));
      return rows;
    }
    if (rel instanceof Project project) {
      List<List<RexNode>> below = rows(project.getInput());
      if (below == null || !project.getProjects().stream().allMatch(RexUtil::isDeterministic)) {
        return null;
      }
      List<List<RexNode>> rows = new ArrayList<>();
      for (List<RexNode> row : below) {
        rows.add(project.getProjects().stream().map(e -> inline(e, row)).toList());
      }
      return rows;
    }
    if (rel instanceof Union union && union.all) {
      List<List<RexNode>> rows = new ArrayList<>();
      for (RelNode input : union.getInputs()) {
        List<List<RexNode>> below = rows(input);
        if (below == null) {
          return null;
        }
        rows.addAll(below);
      }
      return rows;
    }
    return null;
  }

  private static RexNode inline(RexNode expr, List<RexNode> row) {
    return expr.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return row.get(ref.getIndex());
      }
    });
  }
}
