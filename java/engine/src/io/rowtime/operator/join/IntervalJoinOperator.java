package io.rowtime.operator.join;

import io.rowtime.exchange.Partitions;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Joins rows of two inputs that are present at a common base time.
 *
 * <p>Rows of both inputs enter in the order in which they start being present, as far as no earlier row can arrive. A
 * row that enters is joined with the rows of the other input that are present then, so pairs are emitted in order of
 * their time and none has to be kept. A row ends when it cannot be joined any more; an outer join then emits it if it
 * had no match.
 */
final class IntervalJoinOperator implements TaskOperator {
  private static final long LAYOUT = 1;

  /**
   * @param ordered whether output depends only on the watermark, so that rows are in order across all tasks; otherwise the rows of a
   *     task also show how far the inputs have advanced
   * @param left the columns of left rows
   * @param right those columns of right rows that are in the output
   * @param condition a condition over the columns of a left and a right row, by number; null for none
   */
  record Factory(IntervalJoinSpec spec, boolean ordered, StructType left, StructType right, Expression condition)
      implements TaskOperator.Factory {
    @Override public TaskOperator create() {
      return new IntervalJoinOperator(this);
    }
  }

  private final IntervalJoinSpec spec;
  private final boolean ordered;
  private final JoinInputs inputs;
  private final JoinInput left;
  private final JoinInput right;
  private final RowJoiner joiner;
  private final JoinCondition condition;
  private final UnsafeRow leftRow;
  private final UnsafeRow rightRow;
  /** The base time up to which rows enter, and the ROWTIME up to which rows without a match are emitted. */
  private long entryReach;
  private long endReach;

  private IntervalJoinOperator(Factory factory) {
    spec = factory.spec;
    ordered = factory.ordered;
    condition = new JoinCondition(factory.condition);
    joiner = new RowJoiner(factory.left, factory.right);
    KeySlots keys = new KeySlots();
    SlotCounter counter = new SlotCounter(keys);
    left = new JoinInput("left", spec.left(), ordered, spec.leftOuter(), !spec.hasRight(), keys, counter);
    right = new JoinInput("right", spec.right(), ordered, spec.rightOuter(), false, keys, counter);
    inputs = new JoinInputs(left, right);
    leftRow = left.rows.view();
    rightRow = right.rows.view();
  }

  @Override public void declare(States states) {
    inputs.declare(states);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
    }
    inputs.open(states, from);
  }

  @Override public void attach(States states) {
    inputs.attach(states);
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    inputs.save(to);
    return to.toBytes();
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> input, long watermark) {
    inputs.take(input, watermark);
    Pairs out = new Pairs();
    advance(out);
    inputs.finish();
    return out.rows(left.rows, right.rows, joiner, inputs::trim);
  }

  /** Lets rows enter and end, in order of time, as far as the inputs have advanced. */
  private void advance(Pairs out) {
    // The output is ordered across all tasks, and tasks differ in how early a row can still be joined.
    boolean alone = !ordered || spec.isByRows() || Partitions.count() == 1;
    reach(alone);
    while (true) {
      long leftEntry = left.nextEntry();
      long rightEntry = right.nextEntry();
      long entry = Math.min(leftEntry, rightEntry);
      boolean ofLeft = leftEntry <= rightEntry;
      JoinInput input = ofLeft ? left : right;
      if (entry != NEVER && entry <= Math.min(left.nextEnd(), right.nextEnd())
          && (entry <= entryReach || !input.canMatch(input.rows.nextToEnter()))) {
        append(ofLeft, out);
        if (alone && !spec.hasRight()) {
          // A row that has its match is not joined with any other.
          reach(true);
        }
        continue;
      }
      boolean leftFirst = left.nextLastTime() <= right.nextLastTime();
      if (leftFirst && ends(left, right, entry)) {
        end(true, out);
      } else if (ends(right, left, entry)) {
        end(false, out);
      } else if (!leftFirst && ends(left, right, entry)) {
        end(true, out);
      } else {
        break;
      }
    }
  }

  /** @param alone whether this task emits all rows of the result */
  private void reach(boolean alone) {
    entryReach = Math.min(entryReach(left, right, alone), entryReach(right, left, alone));
    endReach = alone ? Math.min(left.firstResult(right), right.firstResult(left)) : entryReach;
  }

  /**
   * Returns the base time up to which rows enter, as far as it depends on {@code input}.
   *
   * <p>Rows of a window that looks ahead are present before their own time, and need not be waited for if their pairs
   * can only be emitted later. Otherwise a match waits until the input has reached its time; a semi-join needs no other
   * match of the row.
   */
  private long entryReach(JoinInput input, JoinInput other, boolean alone) {
    boolean early = alone && (input.looksAhead() || !spec.hasRight() && !input.isByRows());
    return early ? input.firstResult(other) : input.reach();
  }

  /**
   * Returns whether the next row of an input to end can do so now: everything with an earlier ROWTIME has been emitted,
   * and no row that has yet to enter or to arrive can be joined with it.
   */
  private boolean ends(JoinInput input, JoinInput other, long entry) {
    long end = input.nextEnd();
    if (end == NEVER || input.lastTime(end) > endReach || !input.mayEnd()) {
      return false;
    }
    return !input.canMatch(input.rows.first()) || end < entry && end < other.begins();
  }

  private void append(boolean ofLeft, Pairs out) {
    if (!spec.hasRight()) {
      appendToFilter(ofLeft, out);
      return;
    }
    JoinRows rows = (ofLeft ? left : right).rows;
    JoinRows others = (ofLeft ? right : left).rows;
    long row = rows.append();
    for (long other = others.firstOf(rows.slot(row)); other != JoinRows.NONE; other = others.nextOf(other)) {
      addPair(ofLeft ? row : other, ofLeft ? other : row, out);
    }
  }

  /**
   * Appends a row of a filtering join: a left row needs one match only, so it stops after the first, and later right
   * rows skip it.
   */
  private void appendToFilter(boolean ofLeft, Pairs out) {
    long row = (ofLeft ? left : right).rows.append();
    if (ofLeft) {
      int slot = left.rows.slot(row);
      for (long other = right.rows.firstOf(slot); other != JoinRows.NONE && !left.rows.isMatched(row); other = right.rows.nextOf(other)) {
        addPair(row, other, out);
      }
    } else {
      int slot = right.rows.slot(row);
      for (long other = left.rows.firstUnmatchedOf(slot); other != JoinRows.NONE; other = left.rows.nextUnmatchedOf(other)) {
        addPair(other, row, out);
      }
    }
  }

  private void addPair(long leftNumber, long rightNumber, Pairs out) {
    long time = Math.max(left.entry(leftNumber), right.entry(rightNumber));
    if (time > left.end(leftNumber) || time > right.end(rightNumber)) {
      return;
    }
    if (!condition.isEmpty() && !condition.matches(left.rows.get(leftNumber, leftRow), right.rows.get(rightNumber, rightRow))) {
      return;
    }
    boolean first = left.match(leftNumber);
    if (spec.hasRight()) {
      right.match(rightNumber);
      out.add(leftNumber, rightNumber, time);
    } else if (first && spec.joinType() == IntervalJoinSpec.JoinType.SEMI) {
      out.add(leftNumber, JoinRows.NONE, time);
    }
  }

  private void end(boolean ofLeft, Pairs out) {
    JoinInput input = ofLeft ? left : right;
    long time = input.nextLastTime();
    long row = input.endFirst();
    if (input.outer && !input.rows.isMatched(row)) {
      out.add(ofLeft ? row : JoinRows.NONE, ofLeft ? JoinRows.NONE : row, time);
    }
  }

  @Override public long due() {
    long due = Math.min(left.due(), right.due());
    long entry = Math.min(left.nextEntry(), right.nextEntry());
    if (entry != NEVER) {
      due = Math.min(due, Math.max(left.reaches(entry), right.reaches(entry)));
    }
    return Math.min(due, Math.min(endDue(left, right), endDue(right, left)));
  }

  private static long endDue(JoinInput input, JoinInput other) {
    long end = input.nextEnd();
    return end == NEVER ? NEVER : Math.max(input.mayEndAt(), Math.max(input.reaches(end), other.passes(end)));
  }
}
