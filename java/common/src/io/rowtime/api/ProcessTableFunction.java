package io.rowtime.api;

/**
 * A table function that processes the rows of a table, partition by partition, in order of ROWTIME.
 *
 * <p>{@code CREATE FUNCTION f (input TABLE, n INTEGER) RETURNS TABLE (a INTEGER) LANGUAGE JAVA AS 'package.Class'}
 * names a class that implements this interface and has a public no-argument constructor. It is called as {@code FROM
 * f(TABLE s PARTITION BY k, 5)}.
 *
 * <p>Keep data that must outlive a row in the state of the {@link ProcessContext}, not in fields: an instance serves
 * many partitions, and another instance continues after a restart. The result must depend only on the rows, the timers
 * and the arguments. An exception thrown by a method ends the query with a diagnostic that quotes its message.
 */
public interface ProcessTableFunction {
  /**
   * Processes the next row of a partition. Rows with the same ROWTIME are processed in arrival order.
   *
   * @param row valid until the method returns
   * @param context the state, timers and output of the row's partition, valid until the method returns
   * @throws Exception ends the query
   */
  void process(InputRow row, ProcessContext context) throws Exception;

  /**
   * Processes a timer of a partition that is due: all rows before its time have been processed, and no row at or after
   * it.
   *
   * @param timer its name
   * @param context as for {@link #process}
   * @throws Exception ends the query
   */
  default void onTimer(String timer, ProcessContext context) throws Exception {
    throw new UnsupportedOperationException("it sets the timer '" + timer + "' but does not implement onTimer");
  }
}
