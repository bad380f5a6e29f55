package io.rowtime.operator.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The user-defined functions over tables that queries call, registered from Python before a query is built. */
public final class TableFunctions {
  private static final Map<String, PythonCode> IN_PYTHON = new ConcurrentHashMap<>();

  private TableFunctions() {}

  /**
   * Checks a function in Java.
   *
   * @throws IllegalArgumentException if it cannot be loaded; the message gives the reason
   */
  public static void checkJava(String body) {
    JavaProcessor.load(body);
  }

  /**
   * Registers a function in Python, in place of an earlier one with this body.
   *
   * @param command the program of a worker and its arguments
   * @param path the search path for modules
   * @param code the function, which only workers read
   */
  public static void registerPython(String body, List<String> command, String path, String code) {
    IN_PYTHON.put(body, new PythonCode(List.copyOf(command), path, code));
  }

  /** Returns a function in Python, which is registered. */
  static PythonCode inPython(String body) {
    PythonCode code = IN_PYTHON.get(body);
    if (code == null) {
      throw new IllegalStateException("the function " + body + " is not registered");
    }
    return code;
  }
}
