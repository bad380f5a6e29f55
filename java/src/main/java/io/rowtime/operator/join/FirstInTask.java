package io.rowtime.operator.join;

import io.rowtime.spark.Generated;
import io.rowtime.spark.RowPredicate;
import io.rowtime.state.values.Keys;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;

/**
 * A condition over a packed row that is false where the task has had an equal one before. So few duplicates are shuffled; it does not
 * find all, as its memory is limited.
 */
public final class FirstInTask extends RowPredicate {
  private static final long serialVersionUID = 1L;

  /** The rows of a task; each task has a copy of its own. */
  public static final class Seen implements Serializable {
    private static final long serialVersionUID = 1L;

    /** So many different rows are in memory at most. */
    private static final int MOST = 1 << 17;
    /** After so many rows one can tell whether it is worth while: when one of eight has come before. */
    private static final int TRIED = 1 << 15;

    private transient Keys rows;
    private transient int count;
    private transient boolean idle;

    /** Whether rows are no longer looked at, as too few have come before; called from generated code, as the next one is. */
    public boolean isIdle() {
      return idle;
    }

    public boolean isFirst(byte[] row) {
      if (rows == null || rows.size() >= MOST) {
        rows = new Keys();
      }
      rows.slot(row);
      boolean first = rows.created();
      if (++count == TRIED && rows.size() > TRIED - TRIED / 8) {
        idle = true;
        rows = null;
      }
      return first;
    }
  }

  private final Seen seen;

  FirstInTask(Expression row) {
    this(List.of(row), new Seen());
  }

  private FirstInTask(List<Expression> row, Seen seen) {
    super(row);
    this.seen = seen;
  }

  @Override public Object eval(InternalRow row) {
    return seen.isIdle() || seen.isFirst((byte[]) child(0).eval(row));
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("seen", seen, Seen.class.getName());
    ExprCode row = child(0).genCode(context);
    String first = result.value().toString();
    String code = "boolean " + first + " = " + its + ".isIdle();\nif (!" + first + ") {\n" + row.code() + "\n" + first + " = " + its
        + ".isFirst(" + row.value() + ");\n}\n";
    return Generated.value(code, first, Boolean.TYPE);
  }

  @Override protected Expression over(List<Expression> others) {
    return new FirstInTask(others, seen);
  }

  @Override public String prettyName() {
    return "first_in_task";
  }
}
