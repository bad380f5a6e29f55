package io.rowtime.validate;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Limits the number of nodes that a walk over a syntax tree visits. COALESCE, NULLIF and BETWEEN become calls that
 * contain their arguments twice: thirty levels of nesting are a few nodes in memory, but a billion on a walk.
 */
final class TreeSize {
  private static final long MAX_NODES = 2_000_000;

  private final Map<SqlNode, Long> known = new IdentityHashMap<>();

  private TreeSize() {}

  /** Throws RT0421 if there are too many. */
  static void check(SqlNode tree) {
    if (tree != null && new TreeSize().of(tree) > MAX_NODES) {
      throw new DiagnosticException("RT0421", tree.getParserPosition(),
          String.format("This statement expands to more than %,d calls and names", MAX_NODES),
          "compute nested expressions in a sub-query");
    }
  }

  private long of(SqlNode node) {
    Long found = known.get(node);
    if (found != null) {
      return found;
    }
    List<? extends SqlNode> below = node instanceof SqlNodeList list ? list
        : node instanceof SqlCall call ? call.getOperandList() : List.of();
    long size = 1;
    for (SqlNode child : below) {
      size = Math.min(size + (child == null ? 0 : of(child)), MAX_NODES + 1);
    }
    known.put(node, size);
    return size;
  }
}
