package io.rowtime.limits;

/**
 * Limits on what records and values may hold. They are far above what data has, and low enough that no input, however
 * hostile, takes all memory or time. {@code docs/foreign.md} tells users; {@code rowtime/limits.py} has the same numbers.
 */
public final class Limits {
  /** The longest record, in bytes. */
  public static final int RECORD_BYTES = 16 << 20;

  /** How deep the objects and arrays of a record may be nested. */
  public static final int DEPTH = 500;

  /** The longest number, in characters. */
  public static final int NUMBER_LENGTH = 1_000;

  /** How many fields a CSV record may have. */
  public static final int CSV_FIELDS = 20_480;

  /** The longest text that REPEAT, SPACE, LPAD and their like make, in characters. */
  public static final int TEXT_LENGTH = 16 << 20;

  /** How many bytes of a record that is too long are set aside. */
  public static final int EXCERPT_BYTES = 4_096;

  /** How many characters of invalid records are kept for each piece of input, a file or a part of it, in each batch. */
  public static final int ASIDE_CHARACTERS = 32 << 20;

  private Limits() {}
}
