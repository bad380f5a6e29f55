package io.rowtime.plan;

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Where in the statement the nodes of its plan came from. */
final class Positions {
  private final Map<RelNode, SqlParserPos> nodes = new IdentityHashMap<>();

  void put(RelNode rel, SqlParserPos pos) {
    nodes.put(rel, pos);
  }

  /** One node has taken another one's place. */
  void move(RelNode from, RelNode to) {
    if (contains(from)) {
      put(to, nodes.get(from));
    }
  }

  boolean contains(RelNode rel) {
    return nodes.containsKey(rel);
  }

  /** The place of a node, also of one that Calcite has copied since; {@code otherwise} where none is known. */
  SqlParserPos of(RelNode rel, SqlParserPos otherwise) {
    SqlParserPos pos = nodes.get(rel);
    if (pos != null) {
      return pos;
    }
    return nodes.entrySet().stream()
        .filter(e -> e.getKey().getClass() == rel.getClass() && e.getKey().deepEquals(rel))
        .map(Map.Entry::getValue).findFirst().orElse(otherwise);
  }
}
