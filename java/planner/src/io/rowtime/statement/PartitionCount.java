package io.rowtime.statement;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlHint;

/** Checks the number of partitions into which a streaming query shuffles its rows and stores its state. */
final class PartitionCount {
  /** The same as MOST in python/rowtime/runtime/checkpoint/partitions.py. */
  static final int MAX = 4096;
  static final String FORM = "a number from 1 to " + MAX;
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");

  private PartitionCount() {}

  static boolean isOne(String text) {
    return NUMBER.matcher(text).matches() && Integer.parseInt(text) <= MAX;
  }

  /**
   * Returns the number of a hint such as {@code PARTITIONS(4)}; empty for other hints.
   *
   * @throws DiagnosticException if it is not a valid number of partitions
   */
  static OptionalInt of(SqlHint hint) {
    if (!hint.getName().equalsIgnoreCase("PARTITIONS")) {
      return OptionalInt.empty();
    }
    if (hint.getOptionList().size() != 1 || !isOne(hint.getOptionList().get(0).trim())) {
      throw new DiagnosticException("RT0625", hint.getParserPosition(), "PARTITIONS takes " + FORM,
          "for example /*+ PARTITIONS(4) */");
    }
    return OptionalInt.of(Integer.parseInt(hint.getOptionList().get(0).trim()));
  }
}
