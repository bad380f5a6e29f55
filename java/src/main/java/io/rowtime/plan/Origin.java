package io.rowtime.plan;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What of a statement's text became a node of its plan.
 *
 * @param place where a diagnostic of the node points; null where that is the whole statement
 * @param parts the parts of the text that the node carries out; none where nobody wrote it
 * @param calls the analytic calls among them, which become nodes of their own
 */
record Origin(SqlParserPos place, List<SqlParserPos> parts, List<SqlParserPos> calls) {
  static final Origin NONE = of(null);

  Origin {
    parts = written(parts);
    calls = written(calls);
  }

  static Origin of(SqlParserPos place, SqlParserPos... parts) {
    return new Origin(place, List.of(parts), List.of());
  }

  /** That of a node which is made of a node of this one. */
  Origin given(RelNode made) {
    return made instanceof Window && !calls.isEmpty() ? new Origin(calls.get(0), calls, List.of()) : this;
  }

  /** Trees that the planner makes itself have the position 0. */
  private static List<SqlParserPos> written(List<SqlParserPos> positions) {
    return positions.stream().filter(position -> position.getLineNum() > 0).toList();
  }
}
