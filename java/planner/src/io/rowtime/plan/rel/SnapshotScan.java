package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/** A scan of a table or stream as of a time. It is a relation, in a streaming query as well. */
public final class SnapshotScan extends TableScan {
  /** Which rows of the source the scan returns. */
  public enum By {
    /** All rows that the source has when the query starts. */
    START,
    /** The rows of the newest version committed at or before the time. */
    COMMIT,
    /** The rows of all versions, each with the commit times from which and until which the table contained it. */
    HISTORY,
    /** One row: the time at which the history starts. */
    HISTORY_BEGIN
  }

  /**
   * The version to read.
   *
   * @param time milliseconds since 1970, for {@link By#COMMIT}; else null
   * @param shift for {@link By#HISTORY}: the rows joined with the history need its version at this many milliseconds
   *     after their ROWTIME, so older versions can be dropped; null if any version may be needed, and for others
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
