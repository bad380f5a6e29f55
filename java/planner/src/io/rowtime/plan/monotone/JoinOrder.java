package io.rowtime.plan.monotone;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;

/**
 * A join repeats the rows of a stream in their order. If both inputs are streams, the left one's ROWTIME is the leading
 * one.
 */
final class JoinOrder implements RelOrder<BiRel> {

  @Override public NodeOrder derive(BiRel join, List<NodeOrder> inputs) {
    NodeOrder left = inputs.get(0);
    NodeOrder right = inputs.get(1);
    List<FieldOrder> fields = new ArrayList<>(unstrict(left.fields()));
    fields.addAll(unstrict(right.fields()));
    int count = join.getRowType().getFieldCount();
    List<FieldOrder> shown = fields.size() > count ? fields.subList(0, count) : pad(fields, count);
    int rowtime = left.hasClock() ? left.rowtime()
        : right.hasClock() && right.rowtime() >= 0 ? width(join.getLeft()) + right.rowtime() : -1;
    return new NodeOrder(shown, left.hasClock() ? left.clock() : right.clock(), rowtime);
  }

  private static List<FieldOrder> pad(List<FieldOrder> fields, int count) {
    List<FieldOrder> all = new ArrayList<>(fields);
    all.addAll(Collections.nCopies(count - fields.size(), FieldOrder.NONE));
    return all;
  }

  private static int width(RelNode rel) {
    return rel.getRowType().getFieldCount();
  }

  private static List<FieldOrder> unstrict(List<FieldOrder> fields) {
    return fields.stream().map(f -> f.unstrict()).toList();
  }
}
