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
 * The part of a statement's text that a node of its plan comes from.
 *
 * @param kind the kind of node that the text stands for, for instance SetOp or Aggregate, even if it is rewritten to
 *     another kind
 * @param place the position to which a diagnostic of the node points; null for the whole statement
 * @param parts the parts of the text that the node implements; empty if the planner added the node
 * @param calls the analytic calls among the parts, which become nodes of their own
 * @param rowtime the position of the expression that is selected AS ROWTIME; null if there is none
 * @param matched the position of the time by which a join chooses versions (FOR SYSTEM_TIME AS OF or MATCH_CONDITION);
 *     null for other nodes
 * @param windows the positions of what may be refused in the windows of the analytic calls
 */
public record Origin(Class<? extends RelNode> kind, SqlParserPos place, List<SqlParserPos> parts, List<SqlParserPos> calls,
    SqlParserPos rowtime, SqlParserPos matched, WindowPlaces windows) {
  static final Origin NONE = of(null);
  private static final List<Class<? extends RelNode>> KINDS = List.of(Aggregate.class, Join.class, Project.class, SetOp.class);

  public Origin {
    parts = inStatement(parts);
    calls = inStatement(calls);
  }

  public static Origin of(SqlParserPos place, SqlParserPos... parts) {
    return of(place, List.of(parts));
  }

  public static Origin of(SqlParserPos place, List<SqlParserPos> parts) {
    return new Origin(null, place, parts, List.of(), null, null, WindowPlaces.NONE);
  }

  /** Returns the origin of all nodes of a view: the view's name. */
  public static Origin view(SqlParserPos name) {
    return new Origin(null, name, List.of(name), List.of(), name, null, WindowPlaces.NONE);
  }

  /** Returns the position of a part of the text, which is null if it is not known: then that of the whole. */
  public SqlParserPos placeOf(SqlParserPos part) {
    return part == null ? place : part;
  }

  /** Returns the origin of a node that is made from a node with this origin. */
  Origin forReplacement(RelNode made) {
    boolean call = made instanceof Window && !calls.isEmpty();
    return new Origin(kind == null ? kind(made) : kind, call ? calls.get(0) : place, call ? calls : parts, calls, rowtime, matched, windows);
  }

  /** Returns the origin of a helper node that the planner adds for a node with this origin. */
  Origin forHelper() {
    return new Origin(RelNode.class, place, parts, calls, rowtime, matched, windows);
  }

  static Class<? extends RelNode> kind(RelNode rel) {
    return KINDS.stream().<Class<? extends RelNode>>map(kind -> kind).filter(kind -> kind.isInstance(rel)).findFirst().orElse(rel.getClass());
  }

  /** Trees that the planner itself makes have line number 0. */
  private static List<SqlParserPos> inStatement(List<SqlParserPos> positions) {
    return positions.stream().filter(position -> position.getLineNum() > 0).toList();
  }
}
