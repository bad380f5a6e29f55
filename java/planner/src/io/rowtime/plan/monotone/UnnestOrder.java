package io.rowtime.plan.monotone;

import io.rowtime.plan.rel.Unnest;
import java.util.ArrayList;
import java.util.List;

/** UNNEST: the columns of a row keep their order but repeat; the columns of the elements have no order. */
final class UnnestOrder implements RelOrder<Unnest> {

  @Override public NodeOrder derive(Unnest unnest, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    List<FieldOrder> fields = new ArrayList<>();
    for (FieldOrder field : input.fields()) {
      fields.add(field.unstrict());
    }
    while (fields.size() < unnest.getRowType().getFieldCount()) {
      fields.add(FieldOrder.NONE);
    }
    return input.withFields(fields);
  }
}
