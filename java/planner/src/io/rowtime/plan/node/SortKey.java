package io.rowtime.plan.node;

import io.rowtime.plan.node.Meaning.Role;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;

/** A key of an ORDER BY. */
public record SortKey(@Meaning(role = Role.COLUMN) int index, @Meaning Direction direction, @Meaning Nulls nulls) {
  /** Whether values increase. */
  public enum Direction { ASC, DESC }

  /** Where NULL is. */
  public enum Nulls { FIRST, LAST }

  /** Returns the keys of an order. */
  public static List<SortKey> of(List<RelFieldCollation> collations) {
    return collations.stream().map(SortKey::of).toList();
  }

  private static SortKey of(RelFieldCollation key) {
    boolean descending = key.getDirection().isDescending();
    boolean nullsFirst = key.nullDirection == RelFieldCollation.NullDirection.FIRST
        || key.nullDirection == RelFieldCollation.NullDirection.UNSPECIFIED && descending;
    return new SortKey(key.getFieldIndex(), descending ? Direction.DESC : Direction.ASC, nullsFirst ? Nulls.FIRST : Nulls.LAST);
  }
}
