package io.rowtime.spark;

/**
 * The last micro-batch of a writer, as a target records it.
 *
 * @param number the number of the batch; numbers of a writer ascend
 * @param content what the batch was made of: two batches of the same number and content have the same rows; {@link
 *     #UNKNOWN} if an earlier build wrote it
 */
public record RecordedBatch(long number, long content) {
  public static final long UNKNOWN = -1;
  /** The answer of a writer that has written this batch before. */
  public static final long REPEATED = -1;
  /** The answer of a writer that has written another batch of this number, or a later one. */
  public static final long OTHER = -2;

  /** Returns the answer for a batch whose number is not after this one. */
  public long answer(long batch, long madeOf) {
    if (madeOf == UNKNOWN) {
      return REPEATED;
    }
    return batch < number || (content != UNKNOWN && content != madeOf) ? OTHER : REPEATED;
  }
}
