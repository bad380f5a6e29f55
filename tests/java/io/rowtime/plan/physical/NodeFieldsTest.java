package io.rowtime.plan.physical;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.Test;

/** A field that is not declared is named, for each operator, and also within the parts of a node. */
public class NodeFieldsTest {
  private static final FieldRole.Scope SCOPE = new FieldRole.Scope(List.of(), List.of(), List.of(), List.of(), new TreeSet<>());

  @Test
  public void aFieldOfANode() {
    for (PlanOperator operator : PlanOperator.values()) {
      if (operator != PlanOperator.UNSUPPORTED) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("op", operator.op()).put("novelty", 1);
        String message = assertThrows(IllegalStateException.class, () -> NodeFields.describe(node, SCOPE)).getMessage();
        assertTrue(message, message.contains("'novelty' of the operator " + operator.op()));
      }
    }
  }

  @Test
  public void aFieldOfAPart() {
    FieldRole part = FieldRole.object(Map.of("known", FieldRole.VALUE));
    ObjectNode value = JsonNodeFactory.instance.objectNode().put("known", 1);
    assertEquals("(known 1)", part.text(value, SCOPE));
    value.put("novelty", 1);
    assertTrue(assertThrows(IllegalStateException.class, () -> part.text(value, SCOPE)).getMessage().contains("'novelty'"));
  }
}
