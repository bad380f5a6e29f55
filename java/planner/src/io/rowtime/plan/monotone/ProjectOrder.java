package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogObject;
import java.util.List;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** A projection: each expression has the order that its functions preserve; {@code … AS ROWTIME} makes a new clock. */
final class ProjectOrder implements RelOrder<Project> {

  @Override public NodeOrder derive(Project project, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    RexOrder orders = new RexOrder(input.fields());
    List<FieldOrder> fields = project.getProjects().stream().map(orders::of).toList();
    int named = rowtimeIndex(project);
    if (named >= 0 && fields.get(named).derivesFromRowtime()) {
      return new NodeOrder(fields, fields.get(named).steps(), named);
    }
    return new NodeOrder(fields, input.clock(), passedRowtime(project.getProjects(), input.rowtime()));
  }

  /** Returns the index of the output column named ROWTIME, or -1. */
  static int rowtimeIndex(Project project) {
    return project.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
  }

  private static int passedRowtime(List<RexNode> exprs, int rowtime) {
    for (int i = 0; i < exprs.size() && rowtime >= 0; i++) {
      if (exprs.get(i) instanceof RexInputRef ref && ref.getIndex() == rowtime) {
        return i;
      }
    }
    return -1;
  }
}
