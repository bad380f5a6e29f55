package io.rowtime.validate.rules;

/**
 * How a streaming query reads the inputs of a join. Where a stream meets a table, the table is looked up, even one whose columns
 * have an order; tables with an order are read as streams where no input reads a stream.
 */
public final class JoinInputs {
  private JoinInputs() {}

  /**
   * Whether an input that can stream is read as a stream.
   *
   * @param readsStream whether there is a stream below this input, and not only tables
   * @param anyReadsStream whether there is one below any input of the join
   */
  public static boolean isStreamed(boolean readsStream, boolean anyReadsStream) {
    return readsStream || !anyReadsStream;
  }
}
