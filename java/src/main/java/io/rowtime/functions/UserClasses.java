package io.rowtime.functions;

/** Classes of the user's own. Those of jars in {@code spark.jars} are known to the thread that Spark runs a task in. */
public final class UserClasses {
  private UserClasses() {}

  /** The class of a name. */
  public static Class<?> named(String name) throws ClassNotFoundException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return Class.forName(name, true, loader == null ? UserClasses.class.getClassLoader() : loader);
  }
}
