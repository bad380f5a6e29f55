package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableScan;

/** A scan of a table that is read as a stream of its changes: first its rows, then what each commit adds and removes. */
public final class ChangeScan extends TableScan {
  public ChangeScan(TableScan scan) {
    this(scan.getTraitSet(), scan);
  }

  private ChangeScan(RelTraitSet traits, TableScan scan) {
    super(scan.getCluster(), traits, List.of(), scan.getTable());
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new ChangeScan(traits, this);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    // Two scans of a table, one of which reads its changes, are different nodes.
    return super.explainTerms(writer).item("changes", true);
  }
}
