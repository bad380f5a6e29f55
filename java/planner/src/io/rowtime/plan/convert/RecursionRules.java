package io.rowtime.plan.convert;

import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.rel.Plans;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Checks WITH RECURSIVE. Its second query is evaluated over the rows of the previous step, again and again. The result
 * is what the standard requires if each new row is made of exactly one of those rows, independently of the others; this
 * class checks that condition.
 */
public final class RecursionRules {
  private RecursionRules() {}

  /** Returns the name of the recursive query if {@code rel} is a scan of its previous rows; else null. */
  public static String recursive(RelNode rel) {
    return rel instanceof TableScan scan && scan.getTable().unwrap(TransientTable.class) != null ? name(scan.getTable().getQualifiedName())
        : null;
  }

  public static String name(RepeatUnion recursion) {
    return name(recursion.getTransientTable().getQualifiedName());
  }

  private static String name(List<String> path) {
    return path.get(path.size() - 1);
  }

  /**
   * Checks the union of the two queries of a WITH RECURSIVE.
   *
   * @param place the position of the second query
   * @throws DiagnosticException RT0123 if the recursion cannot be evaluated row by row
   */
  static void check(RelNode union, SqlParserPos place) {
    RelNode first = below(union.getInput(0));
    RelNode step = below(union.getInput(1));
    List<RelNode> reads = Plans.nodes(step).filter(rel -> recursive(rel) != null).toList();
    if (reads.isEmpty()) {
      return;
    }
    String name = union instanceof RepeatUnion recursion ? name(recursion) : recursive(reads.get(0));
    if (linear(step, name) < reads.stream().filter(rel -> name.equals(recursive(rel))).count()) {
      throw new DiagnosticException("RT0123", place, "The second query of the UNION does not derive each row from one row of " + name,
          "read " + name + " once, and move aggregates, OVER, ORDER BY with a limit, EXCEPT and sub-queries over it to the query after"
              + " WITH; in an outer join, put it on the side that keeps its rows");
    }
    RelDataType read = reads.get(0).getRowType();
    for (RelDataTypeField field : read.getFieldList()) {
      RelDataType one = first.getRowType().getFieldList().get(field.getIndex()).getType();
      RelDataType other = step.getRowType().getFieldList().get(field.getIndex()).getType();
      if (!haveSameType(one, field.getType()) || !haveSameType(other, field.getType())) {
        throw new DiagnosticException("RT0123", place, "Column " + field.getName() + " of " + name + " is " + TypeText.of(one)
            + " in the first query of the UNION and " + TypeText.of(other) + " in the second", "CAST it to the same type in both");
      }
    }
  }

  private static RelNode below(RelNode rel) {
    return rel instanceof Spool ? rel.getInput(0) : rel;
  }

  private static boolean haveSameType(RelDataType one, RelDataType other) {
    return SqlTypeUtil.isCharacter(one) && SqlTypeUtil.isCharacter(other) || TypeText.of(one).equals(TypeText.of(other));
  }

  /**
   * Returns how many scans of {@code name} contribute one row each to a row of {@code rel}; -1 if a row depends on
   * several such rows at once.
   */
  private static int linear(RelNode rel, String name) {
    if (name.equals(recursive(rel))) {
      return 1;
    }
    if (rel instanceof Project project) {
      return RexOver.containsOver(project.getProjects(), null) ? 0 : linear(rel.getInput(0), name);
    }
    if (rel instanceof Filter || rel instanceof Correlate || rel instanceof Aggregate distinct && distinct.getAggCallList().isEmpty()) {
      return linear(rel.getInput(0), name);
    }
    if (rel instanceof Union) {
      return rel.getInputs().stream().mapToInt(input -> linear(input, name)).sum();
    }
    if (rel instanceof Join join) {
      int left = join.getJoinType().generatesNullsOnLeft() ? 0 : linear(join.getLeft(), name);
      int right = join.getJoinType().generatesNullsOnRight() || !join.getJoinType().projectsRight() ? 0 : linear(join.getRight(), name);
      return left != 0 && right != 0 ? -1 : left + right;
    }
    return 0;
  }
}
