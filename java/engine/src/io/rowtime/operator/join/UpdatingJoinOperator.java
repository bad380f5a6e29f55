package io.rowtime.operator.join;

import io.rowtime.operator.join.RowBuckets.Bucket;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.KeySlots;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Joins rows that are added and retracted. It keeps the rows of both inputs by key, and emits for each pair of rows, and for each row
 * without a match, how much more often the result has it after the batch than before.
 *
 * <p>A batch reads the rows of those keys whose rows it changes: all of them if it makes pairs with them, otherwise the pages that
 * contain the changed rows. Inner joins of rows that are only added have an operator of their own ({@link AddedRowsJoinOperator}). Rows that have had their last
 * match are dropped ({@link EndingRows}).
 */
final class UpdatingJoinOperator extends EntriesOperator {
  private static final long LAYOUT = 1;
  static final String ROWS = "rows";

  /**
   * @param left the columns of left rows
   * @param right those columns of right rows that are in the output
   * @param rightWidth the number of columns of right rows
   * @param condition a condition over the columns of a left and a right row, by number; null for none
   */
  record Factory(UpdatingJoinSpec spec, StructType left, StructType right, int rightWidth, Expression condition) implements TaskOperator.Factory {
    @Override public TaskOperator create() {
      return spec.joinType() == UpdatingJoinSpec.JoinType.INNER && spec.onlyAdds() ? new AddedRowsJoinOperator(this) : new UpdatingJoinOperator(this);
    }
  }

  /** The changes of the rows of a key: how often each is added in all. */
  private static final class Changes {
    final Map<KeptRow, KeptRow> left = new LinkedHashMap<>();
    final Map<KeptRow, KeptRow> right = new LinkedHashMap<>();

    void add(boolean ofLeft, byte[] bytes, long change) {
      KeptRow row = new KeptRow(bytes);
      (ofLeft ? left : right).computeIfAbsent(row, missing -> row).count += change;
    }
  }

  private final UpdatingJoinSpec spec;
  private final RowBuckets lefts;
  private final RowBuckets rights;
  private final EndingRows leftEnds;
  private final EndingRows rightEnds;
  private final boolean filters;
  private final boolean countsLeft;
  private final boolean countsRight;
  private final RowJoiner joiner;
  private final JoinCondition condition;
  private final UnsafeRow leftRow;
  private final UnsafeRow rightRow;

  private UpdatingJoinOperator(Factory factory) {
    super(ROWS, LAYOUT);
    spec = factory.spec;
    condition = new JoinCondition(factory.condition);
    filters = spec.joinType() == UpdatingJoinSpec.JoinType.SEMI || spec.leftOuter();
    // Without a condition, all rows of a key match.
    countsLeft = !condition.isEmpty() && filters;
    countsRight = !condition.isEmpty() && spec.rightOuter();
    lefts = new RowBuckets(0, countsLeft);
    rights = new RowBuckets(1, countsRight);
    leftEnds = new EndingRows(2, spec.left(), spec.right(), lefts);
    rightEnds = new EndingRows(3, spec.right(), spec.left(), rights);
    joiner = new RowJoiner(factory.left, factory.right);
    leftRow = new UnsafeRow(factory.left.length());
    rightRow = new UnsafeRow(factory.rightWidth);
  }

  @Override protected void attach(States.Entries entries) {
    lefts.attach(entries);
    rights.attach(entries);
    leftEnds.attach(entries);
    rightEnds.attach(entries);
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    KeySlots keys = new KeySlots();
    List<Changes> changes = new ArrayList<>();
    Changes withoutKey = new Changes();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      byte[] key = row.getBinary(JoinInput.KEY);
      Changes its = withoutKey;
      if (key != null) {
        int slot = keys.slot(key);
        if (keys.created()) {
          changes.add(new Changes());
        }
        its = changes.get(slot);
      }
      boolean ofLeft = row.getInt(JoinInput.INPUT) == 0;
      byte[] bytes = row.getBinary(JoinInput.ROW);
      its.add(ofLeft, bytes, row.getLong(JoinInput.TIME));
      (ofLeft ? rightEnds : leftEnds).takeOther(bytes);
    }
    leftEnds.advance(watermark);
    rightEnds.advance(watermark);
    ChangedPairs out = new ChangedPairs(spec.onlyAdds());
    if (spec.leftOuter()) {
      withoutKey.left.values().forEach(row -> out.add(row, null, row.count));
    }
    if (spec.rightOuter()) {
      withoutKey.right.values().forEach(row -> out.add(null, row, row.count));
    }
    for (int slot = 0; slot < changes.size(); slot++) {
      join(keys.key(slot), changes.set(slot, null), out);
    }
    leftEnds.finish();
    rightEnds.finish();
    return out.rows(joiner, leftRow, rightRow);
  }

  private void join(byte[] key, Changes changes, ChangedPairs out) {
    Bucket left = lefts.bucket(key);
    Bucket right = rights.bucket(key);
    List<KeptRow> changedLefts = left.apply(changes.left.values());
    List<KeptRow> changedRights = right.apply(changes.right.values());
    List<KeptRow> matchedLefts = new ArrayList<>(changedLefts);
    List<KeptRow> matchedRights = new ArrayList<>(changedRights);
    if (spec.hasRight() || !condition.isEmpty()) {
      for (KeptRow row : changedLefts) {
        // A filter only counts what a row matches, which is known of the other rows.
        Iterable<KeptRow> others = spec.hasRight() || row.before == 0 ? right.all() : changedRights;
        others.forEach(other -> addPair(row, other, matchedLefts, matchedRights, out));
      }
      if (!changedRights.isEmpty()) {
        for (KeptRow row : left.all()) {
          if (!row.changed) {
            changedRights.forEach(other -> addPair(row, other, matchedLefts, matchedRights, out));
          }
        }
      }
    }
    if (filters) {
      boolean semi = spec.joinType() == UpdatingJoinSpec.JoinType.SEMI;
      of(left, right, countsLeft, changedLefts, matchedLefts, semi, (row, change) -> out.add(row, null, change));
    }
    if (spec.rightOuter()) {
      of(right, left, countsRight, changedRights, matchedRights, false, (row, change) -> out.add(null, row, change));
    }
    leftEnds.remove(key, left, changedLefts);
    rightEnds.remove(key, right, changedRights);
    left.write();
    right.write();
  }

  /** Adds what the batch changes of a pair of rows, if they match. */
  private void addPair(KeptRow left, KeptRow right, List<KeptRow> matchedLefts, List<KeptRow> matchedRights, ChangedPairs out) {
    if (!match(left, right)) {
      return;
    }
    if (spec.hasRight()) {
      out.add(left, right, left.count * right.count - left.before * right.before);
    }
    if (countsLeft) {
      count(left, right, matchedLefts);
    }
    if (countsRight) {
      count(right, left, matchedRights);
    }
  }

  private boolean match(KeptRow left, KeptRow right) {
    return condition.isEmpty() || condition.matches(left.get(leftRow), right.get(rightRow));
  }

  /** Counts the matches of a row: of one that is new, all; of others, those that the batch changes. */
  private static void count(KeptRow row, KeptRow other, List<KeptRow> matched) {
    row.matches += row.before == 0 ? other.count : other.count - other.before;
    row.page.changed = true;
    if (!row.changed && !row.listed) {
      row.listed = true;
      matched.add(row);
    }
  }

  /** Receives how much more often a row is in the result. */
  private interface Emitted {
    void add(KeptRow row, long change);
  }

  /**
   * Adds what the batch changes of the rows of one input that are in the result without one of the other.
   *
   * @param counted whether rows have the numbers of their matches
   * @param changed the rows of which the batch changes how often the input has them
   * @param matched these, and the rows of which the batch changes the number of matches
   * @param semi whether rows are in the result that have a match; otherwise those that have none
   */
  private static void of(Bucket rows, Bucket others, boolean counted, List<KeptRow> changed, List<KeptRow> matched, boolean semi, Emitted out) {
    boolean had = others.totalBefore > 0;
    boolean has = others.total() > 0;
    Iterable<KeptRow> affected = counted ? matched : had == has ? changed : rows.all();
    for (KeptRow row : affected) {
      boolean before = (counted ? row.matchesBefore > 0 : had) == semi;
      boolean after = (counted ? row.matches > 0 : has) == semi;
      out.add(row, (after ? row.count : 0) - (before ? row.before : 0));
    }
  }
}
