package io.rowtime.plan.rel;

import org.apache.calcite.rel.RelNode;

/** A node of a stream whose rows come, and go, with other rows: no column has an order, and rows can be retracted. */
public interface ChangingRows extends RelNode {}
