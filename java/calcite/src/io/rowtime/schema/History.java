package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.time.Durations;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Checks limited history: whether a stream still has the rows that a scan needs ({@code rowtime/sources/history.py}).
 */
final class History {
  private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private History() {}

  /**
   * Throws RT0520 if the filters accept rows that are no longer kept.
   *
   * @param rowtime the index of ROWTIME
   * @param filters the filters, without SEARCH
   */
  static void check(CatalogObject stream, LogCommit commit, int rowtime, List<RexNode> filters) {
    Long heldFrom = heldFrom(stream, commit);
    if (heldFrom == null) {
      return;
    }
    Long needed = least(filters, rowtime);
    if (needed == null || needed < heldFrom) {
      throw new WarehouseException("RT0520",
          "The query needs " + (needed == null ? "all rows" : "the rows from " + text(needed) + " on") + " of stream '" + stream.name()
              + "', and its history ('" + stream.options().get("history") + "') begins at " + text(heldFrom),
          "Add a condition such as ROWTIME >= TIMESTAMP '" + text(heldFrom) + "', or keep more history", null);
    }
  }

  /** Returns the ROWTIME (ms) from which on the stream's rows are kept; null if all rows are. */
  private static Long heldFrom(CatalogObject stream, LogCommit commit) {
    Long kept = Durations.millis(stream.options().get("history"));
    Long bound = commit.bound();
    Long first = commit.first();
    Long byHistory = kept == null || bound == null || first == null || first >= bound - kept ? null : Long.valueOf(bound - kept);
    // What was removed does not come back with a longer history.
    Long removed = stream.isSystem() ? null : commit.removedUntil();
    return Stream.of(byHistory, removed).filter(Objects::nonNull).max(Long::compare).orElse(null);
  }

  /** Returns the least ROWTIME of rows that satisfy all filters; null if there is none. */
  private static Long least(List<RexNode> filters, int rowtime) {
    return filters.stream().map(filter -> least(filter, rowtime)).filter(Objects::nonNull).max(Long::compare).orElse(null);
  }

  private static Long least(RexNode filter, int rowtime) {
    if (!(filter instanceof RexCall call)) {
      return null;
    }
    return switch (call.getKind()) {
      case AND -> least(call.getOperands(), rowtime);
      case OR -> {
        List<Long> parts = call.getOperands().stream().map(part -> least(part, rowtime)).toList();
        yield parts.contains(null) ? null : parts.stream().min(Long::compare).orElse(null);
      }
      case EQUALS, GREATER_THAN, GREATER_THAN_OR_EQUAL -> least(call.getKind(), call.getOperands().get(0), call.getOperands().get(1), rowtime);
      case LESS_THAN, LESS_THAN_OR_EQUAL -> least(call.getKind().reverse(), call.getOperands().get(1), call.getOperands().get(0), rowtime);
      default -> null;
    };
  }

  private static Long least(SqlKind kind, RexNode left, RexNode right, int rowtime) {
    if (kind == SqlKind.EQUALS && left instanceof RexLiteral) {
      return least(kind, right, left, rowtime);
    }
    boolean isRowtime = left instanceof RexInputRef column && column.getIndex() == rowtime;
    if (!isRowtime || !(right instanceof RexLiteral literal) || literal.getTypeName() != SqlTypeName.TIMESTAMP) {
      return null;
    }
    Long value = literal.getValueAs(Long.class);
    return value == null ? null : Long.valueOf(kind == SqlKind.GREATER_THAN ? value + 1 : value);
  }

  private static String text(long millis) {
    return TEXT.format(Instant.ofEpochMilli(millis));
  }
}
