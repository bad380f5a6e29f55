package io.rowtime.operator.spec;

/**
 * Thrown if an operator's parameters do not match its record, because the jars and the Python package are of different
 * builds.
 */
public final class InvalidSpecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidSpecException(String operator, String reason) {
    super("The description of the operator " + operator + " cannot be read: " + reason);
  }
}
