package io.rowtime.execution;

import io.rowtime.operator.changelog.ChangelogOperator;
import io.rowtime.operator.filter.TemporalFilterOperator;
import io.rowtime.operator.group.GroupByOperator;
import io.rowtime.operator.join.IntervalJoinOperators;
import io.rowtime.operator.join.TemporalJoinOperators;
import io.rowtime.operator.join.UpdatingJoinOperators;
import io.rowtime.operator.over.OverOperator;
import io.rowtime.operator.process.ProcessOperator;
import io.rowtime.operator.rank.TopNOperator;
import io.rowtime.operator.spec.ChangelogSpec;
import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.operator.spec.GroupingSpec;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.operator.spec.InvalidSpecException;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.operator.spec.RenewedTopNSpec;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.operator.spec.TemporalJoinSpec;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** rowtime's operators as a function of DataFrames, called from Python. */
public final class Operators {
  private Operators() {}

  /**
   * Runs an operator.
   *
   * @param spec the JSON of its {@link OperatorSpec}, as the planner has written it
   * @param ordered whether the result must be in order of ROWTIME from one micro-batch to the next
   * @param inputs DataFrames with the columns that the spec names; none of these may have Spark's event-time tag
   * @param bounds for each input: the bounds of its own source, a streaming DataFrame of one TIMESTAMP column from that source with
   *     instants of the watermark; null if the query's watermark is enough
   * @param expressions what the operator evaluates itself, as Spark SQL: the condition of a join over the columns of both inputs, if there is
   *     one; the arguments of a function
   * @return the columns that the operator makes, in its order
   * @throws InvalidSpecException if the spec is not that of an operator of this build
   */
  public static Dataset<Row> run(String spec, boolean ordered, List<Dataset<Row>> inputs, List<Dataset<Row>> bounds, List<String> expressions) {
    OperatorSpec parsed = OperatorSpec.read(spec);
    String condition = expressions.isEmpty() ? null : expressions.get(0);
    if (parsed instanceof GroupingSpec groups) {
      return GroupByOperator.group(inputs.get(0), groups, ordered);
    }
    if (parsed instanceof IntervalJoinSpec join) {
      return IntervalJoinOperators.join(inputs.get(0), inputs.get(1), bounds.get(0), bounds.get(1), join, ordered, condition);
    }
    if (parsed instanceof TemporalJoinSpec join) {
      return TemporalJoinOperators.join(inputs.get(0), inputs.get(1), bounds.get(0), bounds.get(1), join, ordered, condition);
    }
    if (parsed instanceof OverSpec over) {
      return OverOperator.over(inputs.get(0), over, ordered);
    }
    if (parsed instanceof TopNSpec first) {
      return TopNOperator.topN(inputs.get(0), first, ordered);
    }
    if (parsed instanceof SessionWindowsSpec sessions) {
      return GroupByOperator.sessionWindows(inputs.get(0), sessions, ordered);
    }
    if (parsed instanceof UpdatingGroupSpec groups) {
      return GroupByOperator.updates(inputs.get(0), groups);
    }
    if (parsed instanceof UpdatingTopNSpec first) {
      return TopNOperator.updates(inputs.get(0), first);
    }
    if (parsed instanceof RenewedTopNSpec first) {
      return TopNOperator.updates(inputs.get(0), first);
    }
    if (parsed instanceof UpdatingOverSpec over) {
      return OverOperator.updates(inputs.get(0), over);
    }
    if (parsed instanceof UpdatingJoinSpec join) {
      return UpdatingJoinOperators.join(inputs.get(0), inputs.get(1), join, condition);
    }
    if (parsed instanceof TemporalFilterSpec filter) {
      return TemporalFilterOperator.filter(inputs.get(0), filter);
    }
    if (parsed instanceof ChangelogSpec changes) {
      return ChangelogOperator.changelog(inputs.get(0), changes);
    }
    if (parsed instanceof FromChangelogSpec changes) {
      return ChangelogOperator.rows(inputs.get(0), changes);
    }
    if (parsed instanceof ProcessSpec function) {
      return ProcessOperator.process(inputs.get(0), function, expressions, ordered);
    }
    throw new IllegalStateException("The planner makes no spec of the operator " + OperatorSpec.name(parsed.getClass()));
  }
}
