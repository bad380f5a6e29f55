package io.rowtime.plan.rel;

import io.rowtime.plan.clock.ClockStep;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * HOP: repeats each row for every window that contains its time, and appends the window's start and end as columns.
 * Windows start every {@code slide}, and are {@code size} long.
 */
public final class HopWindows extends SingleRel {

  /** Lengths in milliseconds; {@code offset} is the start of one of the windows. */
  public record Period(long slide, long size, long offset) {
    /** Returns the steps from a time to the start of the earliest window that contains it. */
    public List<ClockStep> firstStart() {
      return List.of(ClockStep.shift(1 - size), ClockStep.window(ClockStep.Function.CEIL, slide, offset));
    }
  }

  private final RexNode time;
  private final Period period;

  /** @param rowType the input's columns, followed by start and end */
  private HopWindows(RelOptCluster cluster, RelTraitSet traits, RelNode input, RexNode time, Period period, RelDataType rowType) {
    super(cluster, traits, input);
    this.time = time;
    this.period = period;
    this.rowType = rowType;
  }

  /** Returns the windows of {@code time}, an expression over the input; the new columns have the given names. */
  public static HopWindows create(RelNode input, RexNode time, Period period, String start, String end) {
    RelDataTypeFactory types = input.getCluster().getTypeFactory();
    RelDataType timestamp = types.createSqlType(SqlTypeName.TIMESTAMP, 3);
    RelDataType rowType = types.builder().addAll(input.getRowType().getFieldList()).add(start, timestamp).add(end, timestamp).build();
    return new HopWindows(input.getCluster(), input.getTraitSet(), input, time, period, rowType);
  }

  public RexNode time() {
    return time;
  }

  public Period period() {
    return period;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new HopWindows(getCluster(), traits, inputs.get(0), time, period, rowType);
  }

  @Override public RelNode accept(RexShuttle shuttle) {
    RexNode changed = shuttle.apply(time);
    return changed == time ? this : new HopWindows(getCluster(), traitSet, input, changed, period, rowType);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("time", time).item("period", period);
  }
}
