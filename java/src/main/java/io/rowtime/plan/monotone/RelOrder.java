package io.rowtime.plan.monotone;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/** How one kind of relational operator passes the order of its inputs on. */
interface RelOrder<R extends RelNode> {
  NodeOrder derive(R rel, List<NodeOrder> inputs);
}
