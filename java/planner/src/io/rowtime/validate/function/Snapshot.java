package io.rowtime.validate.function;

import java.util.List;

/** {@code SNAPSHOT(input [, to_time [, from_time]])}: the rows of a table as of a time. */
final class Snapshot extends RowtimeTableFunction {
  Snapshot() {
    super("SNAPSHOT", List.of("INPUT", "TO_TIME", "FROM_TIME"), 1, binding -> binding.getOperandType(0), InputMode.AT_ONCE);
  }
}
