package io.rowtime.plan.origin;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What of a statement's text became a node of its plan.
 *
 * @param kind what was written, a SetOp or an Aggregate for instance, whatever became of it
 * @param place where a diagnostic of the node points; null where that is the whole statement
 * @param parts the parts of the text that the node carries out; none where nobody wrote it
 * @param calls the analytic calls among them, which become nodes of their own
 * @param rowtime what is selected AS ROWTIME; null where nothing is
 * @param matched the time by which a join chooses versions: that of FOR SYSTEM_TIME AS OF, or MATCH_CONDITION; null of others
 */
public record Origin(Class<? extends RelNode> kind, SqlParserPos place, List<SqlParserPos> parts, List<SqlParserPos> calls,
    SqlParserPos rowtime, SqlParserPos matched) {
  static final Origin NONE = of(null);
  private static final List<Class<? extends RelNode>> KINDS = List.of(Aggregate.class, Join.class, Project.class, SetOp.class);

  public Origin {
    parts = written(parts);
    calls = written(calls);
  }

  public static Origin of(SqlParserPos place, SqlParserPos... parts) {
    return of(place, List.of(parts));
  }

  public static Origin of(SqlParserPos place, List<SqlParserPos> parts) {
    return new Origin(null, place, parts, List.of(), null, null);
  }

  /** That of all that a view does. */
  public static Origin view(SqlParserPos name) {
    return new Origin(null, name, List.of(name), List.of(), name, null);
  }

  /** That of a node which is made of a node of this one. */
  Origin given(RelNode made) {
    boolean call = made instanceof Window && !calls.isEmpty();
    return new Origin(kind == null ? kind(made) : kind, call ? calls.get(0) : place, call ? calls : parts, calls, rowtime, matched);
  }

  /** That of a node which only serves one of this origin. */
  Origin served() {
    return new Origin(RelNode.class, place, parts, calls, rowtime, matched);
  }

  static Class<? extends RelNode> kind(RelNode rel) {
    return KINDS.stream().<Class<? extends RelNode>>map(kind -> kind).filter(kind -> kind.isInstance(rel)).findFirst().orElse(rel.getClass());
  }

  /** Trees that the planner makes itself have the position 0. */
  private static List<SqlParserPos> written(List<SqlParserPos> positions) {
    return positions.stream().filter(position -> position.getLineNum() > 0).toList();
  }
}
