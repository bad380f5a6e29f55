package io.rowtime.plan.physical;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

/** A projection in the place of a node that has been split: its columns have the names and types of that node. */
final class TypedProject {
  private TypedProject() {}

  static RelNode of(RelNode input, List<RexNode> exprs, RelDataType rowType) {
    List<RexNode> typed = IntStream.range(0, exprs.size()).mapToObj(i -> input.getCluster().getRexBuilder()
        .ensureType(rowType.getFieldList().get(i).getType(), exprs.get(i), true)).toList();
    return LogicalProject.create(input, List.of(), typed, rowType, Set.of());
  }
}
