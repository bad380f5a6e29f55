package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;

/** A scan of a table or stream as of a time (seed 004, SNAPSHOT). It is a relation, in a streaming query as well. */
public final class SnapshotScan extends TableScan {
  /** What says which rows of the source the scan has. */
  public enum By {
    /** All rows that the source has when the query starts. */
    START,
    /** Those of the newest version that was committed at the time or before. */
    COMMIT
  }

  /**
   * The version that is read.
   *
   * @param time milliseconds since 1970; null of {@link By#START}
   */
  public record AsOf(By by, Long time) {}

  private final AsOf asOf;

  public SnapshotScan(TableScan scan, AsOf asOf) {
    this(scan.getTraitSet(), scan, asOf);
  }

  private SnapshotScan(RelTraitSet traits, TableScan scan, AsOf asOf) {
    super(scan.getCluster(), traits, List.of(), scan.getTable());
    this.asOf = asOf;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SnapshotScan(traits, this, asOf);
  }

  public AsOf asOf() {
    return asOf;
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("asOf", asOf);
  }
}
