package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/** A scan of a table or stream as of a time (seed 004, SNAPSHOT). It is a relation, in a streaming query as well. */
public final class SnapshotScan extends TableScan {
  /** What says which rows of the source the scan has. */
  public enum By {
    /** All rows that the source has when the query starts. */
    START,
    /** Those of the newest version that was committed at the time or before. */
    COMMIT,
    /** Those of all versions, each with the times of the commits from which on and up to which the table had it. */
    HISTORY,
    /** One row: the time at which that history begins. */
    HISTORY_BEGIN
  }

  /**
   * The version that is read.
   *
   * @param time milliseconds since 1970 of {@link By#COMMIT}; null of others
   * @param shift of {@link By#HISTORY}: the rows that it is joined with ask for the version of so many milliseconds after their
   *     ROWTIME, so that versions go that no row to come asks for; null if any may be asked for, and of others
   */
  public record AsOf(By by, Long time, Long shift) {
    public AsOf(By by, Long time) {
      this(by, time, null);
    }
  }

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

  @Override public RelDataType deriveRowType() {
    RelDataTypeFactory types = getCluster().getTypeFactory();
    RelDataType time = types.createSqlType(SqlTypeName.TIMESTAMP, 3);
    RelDataTypeFactory.Builder columns = types.builder();
    if (asOf.by == By.HISTORY_BEGIN) {
      return columns.add("history$begin", time).build();
    }
    columns.addAll(super.deriveRowType().getFieldList());
    if (asOf.by == By.HISTORY) {
      columns.add("history$from", time).add("history$to", types.createTypeWithNullability(time, true));
    }
    return columns.build();
  }

  public AsOf asOf() {
    return asOf;
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("asOf", asOf);
  }
}
