package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;

/** Writes what is claimed of the order of a node's columns, so that it can be checked on the rows while a query runs. */
final class OrderClaims {
  private OrderClaims() {}

  /** Returns the claims; {@link io.rowtime.plan.physical.NodeProperties} adds the others. */
  static ObjectNode of(NodeOrder order) {
    ObjectNode claims = JsonNodeFactory.instance.objectNode();
    ArrayNode bounds = claims.putArray("bounds");
    ArrayNode orders = claims.putArray("orders");
    for (int i = 0; i < order.fields().size(); i++) {
      FieldOrder field = order.fields().get(i);
      if (field.derivesFromRowtime() && field.monotonicity().increasing()) {
        bounds.addObject().put("index", i).set("clock", PlanWriter.clock(field.steps()));
      }
      if (field.monotonicity() != Monotonicity.NOT_MONOTONIC && field.disorder() != Modulus.UNLIMITED) {
        orders.addObject().put("index", i).put("disorder", field.disorder());
      }
    }
    return claims;
  }
}
