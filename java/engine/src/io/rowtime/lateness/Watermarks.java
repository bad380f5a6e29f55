package io.rowtime.lateness;

import io.rowtime.spark.Frames;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.runtime.AbstractPartialFunction;

/** Handles the watermarks of DataFrames that users provide. */
public final class Watermarks {
  private Watermarks() {}

  /** Returns the same rows without their own watermark: a query has one clock, which comes from elsewhere. */
  public static Dataset<Row> remove(Dataset<Row> rows) {
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
