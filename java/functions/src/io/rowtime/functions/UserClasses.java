package io.rowtime.functions;

/**
 * Loads user-defined classes. The class loader of a thread in which Spark runs a task knows the jars of {@code
 * spark.jars}.
 */
public final class UserClasses {
  private UserClasses() {}

  /** Returns the class with that name. */
  public static Class<?> named(String name) throws ClassNotFoundException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return Class.forName(name, true, loader == null ? UserClasses.class.getClassLoader() : loader);
  }
}
