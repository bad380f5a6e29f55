package io.rowtime.limits;

/**
 * Limits on the size of records and values. They are far above the sizes of real data, and low enough that no input,
 * even a malicious one, takes all memory or time. {@code docs/foreign.md} documents them for users; {@code
 * rowtime/limits.py} has the same numbers.
 */
public final class Limits {
  /** The longest record, in bytes. */
  public static final int RECORD_BYTES = 16 << 20;

  /** The maximum nesting depth of the objects and arrays of a record. */
  public static final int DEPTH = 500;

  /** The longest number, in characters. */
  public static final int NUMBER_LENGTH = 1_000;

  /** The maximum number of fields of a CSV record. */
  public static final int CSV_FIELDS = 20_480;

  /** The longest text that REPEAT, SPACE, LPAD and similar functions return, in characters. */
  public static final int TEXT_LENGTH = 16 << 20;

  /** The number of bytes that are set aside of a record that is too long. */
  public static final int EXCERPT_BYTES = 4_096;

  /**
   * The number of characters of invalid records that are kept per batch for each piece of input, which is a file or a
   * part of one.
   */
  public static final int ASIDE_CHARACTERS = 32 << 20;

  private Limits() {}
}
