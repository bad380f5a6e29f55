package io.rowtime.api;

/**
 * A source or a target of rows in Java, named by {@code CREATE FOREIGN STREAM | TABLE … OPTIONS (connector 'java', class
 * 'package.Class', …)}: a class with a public constructor without arguments that implements {@link SourceAdapter}, {@link
 * TargetAdapter} or both.
 *
 * <p>An exception of a method ends the query with a diagnostic that names the class and quotes the message.
 */
public interface Adapter {
  /**
   * Prepares the instance. It is called once, before all other methods.
   *
   * @param context the options and columns of the object
   */
  void open(AdapterContext context) throws Exception;

  /** The instance is not used any more. */
  default void close() throws Exception {}
}
