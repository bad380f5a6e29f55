package io.rowtime.functions;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * A user-defined function in Java: a class that implements one of Spark's UDF interfaces, or a public static method of
 * a class. Messages of its exceptions name the function. A table function returns its rows as an Iterable, a Stream or
 * an array; a row is an array or a List of its values, or the value of the only column.
 */
public final class JavaFunction implements UDF0<Object>, UDF1<Object, Object>, UDF2<Object, Object, Object>,
    UDF3<Object, Object, Object, Object>, UDF4<Object, Object, Object, Object, Object>,
    UDF5<Object, Object, Object, Object, Object, Object> {
  private static final long serialVersionUID = 1L;
  private static final int MAX_ARGUMENTS = 5;

  private final String name;
  private final String place;
  private final int arguments;
  /** The columns of a table function; null for other functions. */
  private final StructType columns;
  private transient Object target;
  private transient Method method;

  private JavaFunction(String name, String place, int arguments, DataType result) {
    this.name = name;
    this.place = place;
    this.arguments = arguments;
    this.columns = result instanceof ArrayType array && array.elementType() instanceof StructType row ? row : null;
  }

  /**
   * Registers a function with a session.
   *
   * @param sparkName its name in Spark
   * @param name its name in SQL
   * @param place {@code package.Class} or {@code package.Class:method}
   * @param arguments the number of arguments
   * @param result Spark's type of the result, as DDL
   * @param deterministic whether Spark may call it once where it is called several times with the same arguments
   * @throws IllegalArgumentException if there is no such function; the message gives the reason
   */
  public static void register(SparkSession spark, String sparkName, String name, String place, int arguments, String result,
      boolean deterministic) {
    DataType type = DataType.fromDDL(result);
    JavaFunction function = new JavaFunction(name, place, arguments, type);
    function.find();
    UserDefinedFunction made = switch (arguments) {
      case 0 -> functions.udf((UDF0<?>) function, type);
      case 1 -> functions.udf((UDF1<?, ?>) function, type);
      case 2 -> functions.udf((UDF2<?, ?, ?>) function, type);
      case 3 -> functions.udf((UDF3<?, ?, ?, ?>) function, type);
      case 4 -> functions.udf((UDF4<?, ?, ?, ?, ?>) function, type);
      default -> functions.udf((UDF5<?, ?, ?, ?, ?, ?>) function, type);
    };
    spark.udf().register(sparkName, deterministic ? made : made.asNondeterministic());
  }

  private void find() {
    if (arguments > MAX_ARGUMENTS) {
      throw new IllegalArgumentException("a Java function takes at most " + MAX_ARGUMENTS + " arguments");
    }
    String[] parts = place.split(":");
    try {
      Class<?> type = UserClasses.named(parts[0]);
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
      Object result = method.invoke(target, values);
      return columns == null || result == null ? result : rows(result);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw failed(UserFaults.reason(cause), cause);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw failed(e.getMessage(), e);
    }
  }

  /** Converts the rows of a table function to Spark's form. */
  private Object[] rows(Object result) {
    Stream<?> rows = result instanceof Iterable<?> many ? StreamSupport.stream(many.spliterator(), false)
        : result instanceof Object[] many ? Arrays.stream(many) : result instanceof Stream<?> many ? many : null;
    if (rows == null) {
      throw new IllegalArgumentException("it returns a " + result.getClass().getSimpleName() + ", which is not an Iterable, a Stream or an array of rows");
    }
    return rows.map(this::row).toArray();
  }

  private Row row(Object row) {
    Object[] values = row instanceof Object[] array ? array : row instanceof List<?> list ? list.toArray() : new Object[] {row};
    if (values.length != columns.length()) {
      throw new IllegalArgumentException("it returns a row of " + values.length + " values for " + columns.length() + " columns");
    }
    Object[] converted = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      DataType type = columns.apply(i).dataType();
      converted[i] = ApiValues.toApi(ApiValues.toSpark(values[i], type), type);
    }
    return RowFactory.create(converted);
  }

  /** Both kinds of function fail with the same messages, see {@code rowtime.runtime.faults}. */
  private IllegalStateException failed(String why, Throwable fault) {
    return UserFaults.at(new IllegalStateException("Function '" + name + "' failed: " + why), fault);
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
