package io.rowtime.validate;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Rewrites a syntax tree in place, from the leaves up. */
public final class AstRewriter {
  private AstRewriter() {}

  /**
   * Applies {@code rule} to every node below {@code node}, then to the node itself.
   *
   * @return the replacement of {@code node}: the node itself if the rule returned it unchanged
   */
  public static SqlNode rewrite(SqlNode node, UnaryOperator<SqlNode> rule) {
    if (node == null) {
      return null;
    }
    if (node instanceof SqlNodeList list) {
      for (int i = 0; i < list.size(); i++) {
        SqlNode before = list.get(i);
        SqlNode after = rewrite(before, rule);
        if (before != after) {
          list.set(i, Objects.requireNonNull(after));
        }
      }
      return list;
    }
    if (node instanceof SqlCall call) {
      List<SqlNode> operands = call.getOperandList();
      for (int i = 0; i < operands.size(); i++) {
        SqlNode before = operands.get(i);
        SqlNode after = rewrite(before, rule);
        if (before != after) {
          call.setOperand(i, after);
        }
      }
    }
    return rule.apply(node);
  }
}
