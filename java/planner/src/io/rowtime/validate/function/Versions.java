package io.rowtime.validate.function;

import java.util.List;

/**
 * {@code $VERSIONS(input)}: the rows of a table as of the time that {@link RowtimeOperators#AS_OF} gives, in a join.
 */
final class Versions extends RowtimeTableFunction {
  Versions() {
    super("$VERSIONS", List.of("INPUT"), 1, binding -> binding.getOperandType(0), InputMode.AT_ONCE);
  }
}
