package io.rowtime.lateness;

import io.rowtime.spark.Frames;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.runtime.AbstractPartialFunction;

/** Watermarks of DataFrames that users bring along. */
public final class Watermarks {
  private Watermarks() {}

  /** The same rows without a watermark of their own: a query has one clock, and gets it another way. */
  public static Dataset<Row> removed(Dataset<Row> rows) {
    LogicalPlan plan = rows.queryExecution().analyzed().transformDown(new Removal());
    return Frames.of(rows.sparkSession(), plan);
  }

  private static final class Removal extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    private static final long serialVersionUID = 1L;

    @Override public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof EventTimeWatermark;
    }

    @Override public LogicalPlan apply(LogicalPlan plan) {
      LogicalPlan below = plan;
      while (below instanceof EventTimeWatermark watermark) {
        below = watermark.child();
      }
      return below;
    }
  }
}
