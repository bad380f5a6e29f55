package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** GROUP BY emits groups as their monotonic key advances. The leading time among the keys is the new ROWTIME. */
final class AggregateOrder implements RelOrder<Aggregate> {

  @Override public NodeOrder derive(Aggregate aggregate, List<NodeOrder> inputs) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<FieldOrder> fields = new ArrayList<>();
    boolean simple = aggregate.getGroupType() == Aggregate.Group.SIMPLE;
    for (int key : keys) {
      if (!GroupingSets.common(aggregate).get(key)) {
        fields.add(FieldOrder.NONE);
        continue;
      }
      FieldOrder order = inputs.get(0).fields().get(key);
      Monotonicity monotonicity = order.monotonicity();
      if (keys.size() > 1 || !simple) {
        monotonicity = monotonicity.unstrict();
      } else if (monotonicity.increasing()) {
        monotonicity = Monotonicity.STRICTLY_INCREASING;
      } else if (monotonicity.decreasing()) {
        monotonicity = Monotonicity.STRICTLY_DECREASING;
      }
      fields.add(new FieldOrder(monotonicity, 0, order.steps()));
    }
    fields.addAll(Collections.nCopies(aggregate.getAggCallList().size(), FieldOrder.NONE));
    int rowtime = rowtime(aggregate, fields, keys.size());
    return new NodeOrder(fields, rowtime < 0 ? null : fields.get(rowtime).steps(), rowtime);
  }

  private static int rowtime(Aggregate aggregate, List<FieldOrder> fields, int keyCount) {
    int leading = -1;
    for (int i = keyCount - 1; i >= 0; i--) {
      boolean time = SqlTypeUtil.isDatetime(aggregate.getRowType().getFieldList().get(i).getType());
      if (time && fields.get(i).derivesFromRowtime()) {
        leading = i;
        if (aggregate.getRowType().getFieldNames().get(i).equals(CatalogObject.ROWTIME)) {
          return i;
        }
      }
    }
    return leading;
  }
}
