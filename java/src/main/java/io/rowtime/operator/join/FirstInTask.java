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
 * A predicate over a packed row that is false if the task has had an equal row before. It reduces the number of
 * duplicates that are shuffled; it does not find all of them, because its memory is limited.
 */
public final class FirstInTask extends RowPredicate {
  private static final long serialVersionUID = 1L;

  /** The rows that a task has seen; each task has its own copy. */
  public static final class Seen implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum number of different rows in memory. */
    private static final int MAX_ROWS = 1 << 17;
    /**
     * The number of rows after which it is decided whether checking pays off: at least one of eight must be a
     * duplicate.
     */
    private static final int TRIAL_ROWS = 1 << 15;

    private transient Keys rows;
    private transient int count;
    private transient boolean idle;

    /**
     * Returns whether rows are no longer checked because there were too few duplicates. Called from generated code, as
     * is the next method.
     */
    public boolean isIdle() {
      return idle;
    }

    public boolean isFirst(byte[] row) {
      if (rows == null || rows.size() >= MAX_ROWS) {
        rows = new Keys();
      }
      rows.slot(row);
      boolean first = rows.created();
      if (++count == TRIAL_ROWS && rows.size() > TRIAL_ROWS - TRIAL_ROWS / 8) {
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
