package io.rowtime.functions;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;

/**
 * A function of the user's own in Java: a class that implements one of Spark's UDF interfaces, or a public static method
 * of a class. What it throws names the function.
 */
public final class JavaFunction implements UDF0<Object>, UDF1<Object, Object>, UDF2<Object, Object, Object>,
    UDF3<Object, Object, Object, Object>, UDF4<Object, Object, Object, Object, Object>,
    UDF5<Object, Object, Object, Object, Object, Object> {
  private static final long serialVersionUID = 1L;
  private static final int MOST_ARGUMENTS = 5;

  private final String name;
  private final String place;
  private final int arguments;
  private transient Object target;
  private transient Method method;

  private JavaFunction(String name, String place, int arguments) {
    this.name = name;
    this.place = place;
    this.arguments = arguments;
  }

  /**
   * Makes a function known to a session.
   *
   * @param sparkName its name in Spark
   * @param name its name in SQL
   * @param place {@code package.Class} or {@code package.Class:method}
   * @param arguments how many it takes
   * @param result Spark's type of its result, as DDL
   * @throws IllegalArgumentException where there is no such function; the message says why
   */
  public static void register(SparkSession spark, String sparkName, String name, String place, int arguments, String result) {
    JavaFunction function = new JavaFunction(name, place, arguments);
    function.find();
    DataType type = DataType.fromDDL(result);
    switch (arguments) {
      case 0 -> spark.udf().register(sparkName, (UDF0<?>) function, type);
      case 1 -> spark.udf().register(sparkName, (UDF1<?, ?>) function, type);
      case 2 -> spark.udf().register(sparkName, (UDF2<?, ?, ?>) function, type);
      case 3 -> spark.udf().register(sparkName, (UDF3<?, ?, ?, ?>) function, type);
      case 4 -> spark.udf().register(sparkName, (UDF4<?, ?, ?, ?, ?>) function, type);
      default -> spark.udf().register(sparkName, (UDF5<?, ?, ?, ?, ?, ?>) function, type);
    }
  }

  private void find() {
    if (arguments > MOST_ARGUMENTS) {
      throw new IllegalArgumentException("a function in Java takes at most " + MOST_ARGUMENTS + " arguments");
    }
    String[] parts = place.split(":");
    try {
      Class<?> type = Class.forName(parts[0], true, JavaFunction.class.getClassLoader());
      boolean isStatic = parts.length > 1;
      String wanted = isStatic ? parts[1] : "call";
      method = Arrays.stream(type.getMethods())
          .filter(m -> m.getName().equals(wanted) && m.getParameterCount() == arguments && !m.isBridge()
              && Modifier.isStatic(m.getModifiers()) == isStatic)
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("the class " + parts[0] + " has no public "
              + (isStatic ? "static " : "") + "method " + wanted + " of " + arguments + " arguments"));
      target = isStatic ? null : type.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + parts[0], e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the class " + parts[0] + " has no public constructor without arguments", e);
    }
  }

  private Object invoke(Object... values) {
    if (method == null) {
      find();
    }
    try {
      return method.invoke(target, values);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw failed(cause.getClass().getSimpleName() + (cause.getMessage() == null ? "" : ": " + cause.getMessage()), cause);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw failed(e.getMessage(), e);
    }
  }

  /** Both kinds of function fail with the same words, see {@code rowtime.runtime.faults}. */
  private IllegalStateException failed(String why, Throwable cause) {
    return new IllegalStateException("Function '" + name + "' failed: " + why, cause);
  }

  @Override public Object call() {
    return invoke();
  }

  @Override public Object call(Object a) {
    return invoke(a);
  }

  @Override public Object call(Object a, Object b) {
    return invoke(a, b);
  }

  @Override public Object call(Object a, Object b, Object c) {
    return invoke(a, b, c);
  }

  @Override public Object call(Object a, Object b, Object c, Object d) {
    return invoke(a, b, c, d);
  }

  @Override public Object call(Object a, Object b, Object c, Object d, Object e) {
    return invoke(a, b, c, d, e);
  }
}
