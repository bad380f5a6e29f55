package io.rowtime.validate.function;

import java.util.List;

/** {@code SEARCH_KEY(input, on_key, lookup [, options])}: a look-up by key. */
final class SearchKey extends RowtimeTableFunction {
  SearchKey() {
    super("SEARCH_KEY", List.of("INPUT", "ON_KEY", "LOOKUP", "OPTIONS"), 3, binding -> binding.getOperandType(0), InputMode.AT_ONCE);
  }
}
