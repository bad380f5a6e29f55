package io.rowtime.functions;

import io.rowtime.operator.spec.BoundClock;
import io.rowtime.time.LocalClock;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MapSort;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Registers the functions with a session, where SQL text finds them by name. */
public final class Functions {
  /**
   * {@code (total BIGINT or DECIMAL, count BIGINT, precision INT, scale INT)}: the average; the last two are literals.
   */
  public static final String AVERAGE = "rowtime_average";

  /**
   * {@code (expression, result, arguments, value …)}: an expression that Calcite computes from the values. The
   * expression is JSON of the plan contract whose references are the values; result and arguments are their types in
   * Spark's DDL. All but the values are literals.
   */
  public static final String COMPUTED = "rowtime_computed";

  /**
   * {@code (list, types, value …)}: IN with a list of constants; see {@link InList}. The first two are literals, the types
   * in Spark's DDL.
   */
  public static final String IN_LIST = "rowtime_in_list";

  /** {@code (local TIMESTAMP, zone)}: the least TIMESTAMP from which on no clock of the zone, a literal, shows an earlier time. */
  public static final String LOCAL_REACHED = "rowtime_local_reached";

  /** {@code (time TIMESTAMP, clock)}: the least watermark of Spark's at which a clock of the plan, a literal, reaches the time. */
  public static final String CLOCK_REACHED = "rowtime_clock_reached";

  /** {@code (text)}: the text of a number in a form that Spark can cast to DECIMAL quickly, see {@link NumberText}. */
  public static final String NUMBER_TEXT = "rowtime_number_text";

  /** {@code (text, pattern, escape)}: SIMILAR TO; an empty escape means none. */
  public static final String SIMILAR = "rowtime_similar";

  /** {@code (text, pattern, escape)}: LIKE; an empty escape means none. */
  public static final String LIKE = "rowtime_like";

  /** {@code (text, pattern, escape)}: ILIKE, which ignores the case of ASCII letters. */
  public static final String ILIKE = "rowtime_ilike";

  /** {@code (text, regex, flags, position, function)}: the text, see {@link BoundedSearch}. */
  public static final String SEARCHED = "rowtime_searched";

  /** {@code (path, document, function)}: the path of SQL/JSON, see {@link JsonPathPatterns}. */
  public static final String JSON_PATH = "rowtime_json_path";

  /** {@code (number)}: a REAL or DOUBLE such that equal numbers have the same bits. */
  public static final String NUMBER_KEY = "rowtime_number_key";

  /** {@code (map)}: the entries of a MAP in the order of their keys. */
  public static final String ORDERED_MAP = "rowtime_ordered_map";

  private Functions() {}

  /** Registers the functions with a session; registering them again has no further effect. */
  public static void register(SparkSession spark) {
    FunctionRegistry registry = spark.sessionState().functionRegistry();
    registry.createOrReplaceTempFunction(AVERAGE, Functions::average, "java_udf");
    register(registry, NUMBER_TEXT, NumberText.class, "readable", DataTypes.StringType);
    register(registry, SIMILAR, Similar.class, "matches", DataTypes.BooleanType);
    register(registry, LIKE, Like.class, "matches", DataTypes.BooleanType);
    register(registry, ILIKE, Like.class, "matchesIgnoringCase", DataTypes.BooleanType);
    register(registry, SEARCHED, BoundedSearch.class, "checked", DataTypes.StringType);
    // It is NULL only if the path is.
    registry.createOrReplaceTempFunction(JSON_PATH, arguments -> new StaticInvoke(JsonPathPatterns.class, DataTypes.StringType,
        "checked", arguments, noTypes(), false, true, true, Option.empty()), "java_udf");
    registry.createOrReplaceTempFunction(LOCAL_REACHED, Functions::localReached, "java_udf");
    registry.createOrReplaceTempFunction(CLOCK_REACHED, Functions::clockReached, "java_udf");
    registry.createOrReplaceTempFunction(NUMBER_KEY, arguments -> new NormalizeNaNAndZero(arguments.apply(0)), "java_udf");
    registry.createOrReplaceTempFunction(ORDERED_MAP, arguments -> new MapSort(arguments.apply(0)), "java_udf");
    registry.createOrReplaceTempFunction(IN_LIST, Functions::inList, "java_udf");
    registry.createOrReplaceTempFunction(COMPUTED, Functions::computed, "java_udf");
  }

  /** Registers a static method that is NULL if an argument is, and otherwise never. */
  private static void register(FunctionRegistry registry, String name, Class<?> home, String method, DataType result) {
    registry.createOrReplaceTempFunction(name,
        arguments -> new StaticInvoke(home, result, method, arguments, noTypes(), true, false, true, Option.empty()), "java_udf");
  }

  private static Expression computed(Seq<Expression> arguments) {
    List<Expression> given = CollectionConverters.asJava(arguments);
    DataType result = DataType.fromDDL(given.get(1).eval(null).toString());
    StructType types = (StructType) DataType.fromDDL(given.get(2).eval(null).toString());
    CalciteExpression computed = new CalciteExpression(given.get(0).eval(null).toString(), result, types);
    return new Invoke(Literal.create(computed, new ObjectType(CalciteExpression.class)), "evaluate", result,
        sequence(List.of(row(given.subList(3, given.size())))), noTypes(), false, true, true);
  }

  private static Expression inList(Seq<Expression> arguments) {
    List<Expression> given = CollectionConverters.asJava(arguments);
    InList list = new InList(given.get(0).eval(null).toString(), (StructType) DataType.fromDDL(given.get(1).eval(null).toString()));
    return new Invoke(Literal.create(list, new ObjectType(InList.class)), "contains", DataTypes.BooleanType,
        sequence(List.of(row(given.subList(2, given.size())))), noTypes(), false, true, true);
  }

  /** Returns the values as a row, which has a field more if there are none: Spark cannot generate code for an empty row. */
  private static Expression row(List<Expression> values) {
    List<Expression> fields = new ArrayList<>();
    for (Expression value : values.isEmpty() ? List.<Expression>of(Literal.create(true, DataTypes.BooleanType)) : values) {
      fields.add(Literal.create("a" + fields.size(), DataTypes.StringType));
      fields.add(value);
    }
    return new CreateNamedStruct(sequence(fields));
  }

  private static Expression localReached(Seq<Expression> arguments) {
    return reaches(arguments.apply(0), LocalClock.of(arguments.apply(1).eval(null).toString()));
  }

  private static Expression clockReached(Seq<Expression> arguments) {
    return reaches(arguments.apply(0), BoundClock.read(arguments.apply(1).eval(null).toString()).fromWatermark());
  }

  private static Expression reaches(Expression time, Object clock) {
    return new Invoke(Literal.create(clock, new ObjectType(clock.getClass())), "reaches", DataTypes.TimestampType,
        sequence(List.of(time)), noTypes(), true, false, true);
  }

  private static <T> Seq<T> sequence(List<T> list) {
    return CollectionConverters.asScala(list).toSeq();
  }

  private static Expression average(Seq<Expression> arguments) {
    List<Expression> given = CollectionConverters.asJava(arguments);
    int precision = (Integer) given.get(2).eval(null);
    int scale = (Integer) given.get(3).eval(null);
    return new StaticInvoke(Averages.class, new DecimalType(precision, scale), "average", arguments, noTypes(), true,
        true, true, Option.empty());
  }

  private static <T> Seq<T> noTypes() {
    return sequence(List.of());
  }
}
