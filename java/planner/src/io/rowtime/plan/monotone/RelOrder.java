package io.rowtime.plan.monotone;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/** Derives the order of a relational operator's rows from the orders of its inputs. */
interface RelOrder<R extends RelNode> {
  NodeOrder derive(R rel, List<NodeOrder> inputs);
}
