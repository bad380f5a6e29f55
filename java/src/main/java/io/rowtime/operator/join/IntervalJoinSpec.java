package io.rowtime.operator.join;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.operator.BoundClock;
import java.util.List;

/**
 * What an interval join is told; all of it, or it is refused.
 *
 * @param joinType INNER, LEFT, RIGHT or FULL
 * @param condition over the columns of both sides, as Spark SQL; null where the keys say all
 * @param ordered whether rows come out by the watermark alone, so that they are in order over all tasks; else the rows of a
 *     task tell as well how far the inputs have come
 * @param rowtime name of the column with the ROWTIME of the result
 */
record IntervalJoinSpec(String joinType, Side left, Side right, String condition, boolean ordered, String rowtime) {
  private static final ObjectMapper JSON = new ObjectMapper()
      .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
      .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  /**
   * One input.
   *
   * @param keys columns that are equal in matching rows, in the order of the other side's
   * @param columns those of the result
   * @param time the row's ROWTIME, a TIMESTAMP
   * @param from from how many microseconds after it the row is there
   * @param to until how many microseconds after it
   * @param clock from the watermark to the bound of the input's ROWTIME
   * @param disorder how far below one that has come, in microseconds, the time of a later row can be; 0 where rows come in
   *     order, null where that cannot be told
   */
  record Side(List<String> keys, List<String> columns, String time, long from, long to, JsonNode clock, Long disorder) {
    BoundClock boundClock() {
      return BoundClock.parse(clock);
    }
  }

  static IntervalJoinSpec parse(String json) {
    try {
      return JSON.readValue(json, IntervalJoinSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not the description of an interval join: " + e.getOriginalMessage(), e);
    }
  }

  /** Whether rows of the left side that match nothing come out. */
  boolean leftOuter() {
    return joinType.equals("LEFT") || joinType.equals("FULL");
  }

  boolean rightOuter() {
    return joinType.equals("RIGHT") || joinType.equals("FULL");
  }
}
