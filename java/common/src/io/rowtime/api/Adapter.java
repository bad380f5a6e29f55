package io.rowtime.api;

/**
 * A source or a target of rows in Java, named by {@code CREATE FOREIGN STREAM | TABLE … OPTIONS (connector 'java',
 * class 'package.Class', …)}: a class with a public no-argument constructor that implements {@link SourceAdapter},
 * {@link TargetAdapter} or both.
 *
 * <p>An exception thrown by a method ends the query with a diagnostic that names the class and quotes the message.
 */
public interface Adapter {
  /** Prepares the instance. Called once, before all other methods. */
  void open(AdapterContext context) throws Exception;

  /** Releases the resources of the instance, which is not used any more. */
  default void close() throws Exception {}
}
