package io.rowtime.validate.rules;

/**
 * Decides how a streaming query reads the inputs of a join. In a join with a stream, a table is looked up, even one
 * whose columns have an order; tables with an order are read as streams if no input reads a stream.
 */
public final class StreamedInputs {
  private StreamedInputs() {}

  /**
   * Returns whether an input that can be read as a stream is.
   *
   * @param readsStream whether there is a stream below this input, and not only tables
   * @param anyReadsStream whether there is a stream below any input of the join
   */
  public static boolean isStreamed(boolean readsStream, boolean anyReadsStream) {
    return readsStream || !anyReadsStream;
  }
}
