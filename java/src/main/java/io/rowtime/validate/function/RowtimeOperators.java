package io.rowtime.validate.function;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandMetadata;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.util.ReflectiveSqlOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.apache.calcite.util.Optionality;

/** The operators that rowtime adds to Calcite's: table functions, a class each, and functions with names of their own. */
public final class RowtimeOperators extends ReflectiveSqlOperatorTable {

  /** {@code ||} that takes any scalar on either side, as SQLstream's and the seeds' examples expect. */
  public static final SqlBinaryOperator CONCAT =
      new SqlBinaryOperator("||", SqlKind.OTHER, 60, true, RowtimeOperators::varchar, null, OperandTypes.ANY_ANY);

  /** {@code NOW()}: the time at which a row is processed. */
  public static final SqlFunction NOW = timeFunction("NOW");

  /** {@code PROCTIME()}: the same, under Flink's name. */
  public static final SqlFunction PROCTIME = timeFunction("PROCTIME");

  /** {@code FROM_UTC_TIMESTAMP(t, 'Europe/Berlin')}, as in Spark: what clocks show there. */
  public static final SqlFunction FROM_UTC_TIMESTAMP = zoned("FROM_UTC_TIMESTAMP", "fromUtc");

  /** {@code TO_UTC_TIMESTAMP(t, 'Europe/Berlin')}: the time in UTC at which clocks there show {@code t}. */
  public static final SqlFunction TO_UTC_TIMESTAMP = zoned("TO_UTC_TIMESTAMP", "toUtc");

  /** {@code MEDIAN(x)}, interpolated; NULL of no rows. */
  public static final SqlAggFunction MEDIAN =
      percentile("MEDIAN", ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE), OperandTypes.NUMERIC);

  /** PERCENTILE_CONT in GROUP BY: a DOUBLE, whatever it is of. Calcite would cut 1.5 off to 1 where that is of INTEGERs. */
  public static final SqlAggFunction PERCENTILE_CONT_OF_GROUPS =
      SqlBasicAggFunction.create("PERCENTILE_CONT", SqlKind.PERCENTILE_CONT, ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL).withFunctionType(SqlFunctionCategory.SYSTEM)
          .withGroupOrder(Optionality.MANDATORY).withPercentile(true);

  /** {@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER …} as a call of x and the fraction. */
  public static final SqlAggFunction PERCENTILE_CONT =
      percentile("$PERCENTILE_CONT", ReturnTypes.DOUBLE_NULLABLE, OperandTypes.NUMERIC_NUMERIC);

  /** {@code PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x) OVER …} as a call of x and the fraction. */
  public static final SqlAggFunction PERCENTILE_DISC =
      percentile("$PERCENTILE_DISC", ReturnTypes.ARG0_NULLABLE_IF_EMPTY, OperandTypes.NUMERIC_NUMERIC);

  public static final SqlAggFunction VAR_POP = variance("VAR_POP", SqlKind.VAR_POP);

  public static final SqlAggFunction VAR_SAMP = variance("VAR_SAMP", SqlKind.VAR_SAMP);

  public static final SqlAggFunction VARIANCE = variance("VARIANCE", SqlKind.VAR_SAMP);

  public static final SqlFunction TUMBLE = new Tumble();

  public static final SqlFunction HOP = new Hop();

  public static final SqlFunction SESSION = new Session();

  public static final SqlFunction SNAPSHOT = new Snapshot();

  public static final SqlFunction VERSIONS = new Versions();

  /** {@code $AS_OF(time, column)} in the condition of a join: its right side, which has the column, is read as of the time. */
  public static final SqlFunction AS_OF = new SqlFunction("$AS_OF", SqlKind.OTHER_FUNCTION, ReturnTypes.BOOLEAN_NOT_NULL, null,
      OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  /** {@code IN_HISTORY(time, begin, table)}: TRUE; of a time before the begin of a table's history the query fails (RT0520). */
  public static final SqlFunction IN_HISTORY = new SqlFunction("IN_HISTORY", SqlKind.OTHER_FUNCTION, ReturnTypes.BOOLEAN_NOT_NULL, null,
      OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  public static final SqlFunction SEARCH_KEY = new SearchKey();

  public static final SqlFunction TO_CHANGELOG = new ToChangelog();

  public static final SqlFunction FROM_CHANGELOG = new FromChangelog();

  /**
   * ROWTIME of a joined row, of the ROWTIMEs of its inputs. Whoever plans the join replaces it by the column that the join gives;
   * it has no name that can be written.
   */
  public static final SqlFunction JOIN_ROWTIME = new SqlFunction("$JOIN_ROWTIME", SqlKind.OTHER_FUNCTION,
      ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 3), null, OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  /** By name, those that scripts can call. */
  private static final Map<String, SqlFunction> TABLE_FUNCTIONS = new TreeMap<>();

  static {
    for (SqlFunction function : List.of(TUMBLE, HOP, SESSION, SNAPSHOT, SEARCH_KEY, TO_CHANGELOG, FROM_CHANGELOG)) {
      TABLE_FUNCTIONS.put(function.getName(), function);
    }
  }

  private static final RowtimeOperators INSTANCE = (RowtimeOperators) new RowtimeOperators().init();

  /** What scripts can call: standard SQL, rowtime's own, and the common functions of other systems. */
  public static final SqlOperatorTable ALL = new SqlOperatorTable() {
    @Override public void lookupOperatorOverloads(SqlIdentifier name, SqlFunctionCategory category, SqlSyntax syntax,
        List<SqlOperator> found, SqlNameMatcher matcher) {
      INSTANCE.lookupOperatorOverloads(name, category, syntax, found, matcher);
      if (found.isEmpty()) {
        SqlStdOperatorTable.instance().lookupOperatorOverloads(name, category, syntax, found, matcher);
      }
      if (found.isEmpty() && name.isSimple() && syntax == SqlSyntax.FUNCTION) {
        Optional.ofNullable(SparkFunctions.named(name.getSimple())).ifPresent(found::add);
      }
      if (found.isEmpty()) {
        Libraries.TABLE.lookupOperatorOverloads(name, category, syntax, found, matcher);
      }
      if (found.isEmpty() && name.isSimple()) {
        Libraries.safeCast(name.getSimple()).ifPresent(found::add);
      }
    }

    @Override public List<SqlOperator> getOperatorList() {
      return SqlStdOperatorTable.instance().getOperatorList();
    }
  };

  /** Loaded on first need: Calcite's library of other systems' functions takes a noticeable part of a cold start. */
  private static final class Libraries {
    static final SqlOperatorTable TABLE = SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
        SqlLibrary.SPARK, SqlLibrary.POSTGRESQL, SqlLibrary.ORACLE, SqlLibrary.MYSQL, SqlLibrary.BIG_QUERY);

    /** Tables of libraries do not find functions of a syntax of their own. */
    static Optional<SqlOperator> safeCast(String name) {
      return Stream.<SqlOperator>of(SqlLibraryOperators.SAFE_CAST, SqlLibraryOperators.TRY_CAST)
          .filter(f -> f.getName().equalsIgnoreCase(name)).findFirst();
    }
  }

  private RowtimeOperators() {}

  /** In Calcite, a variance has the type of the average, which is too narrow for the square of a difference. */
  private static SqlAggFunction variance(String name, SqlKind kind) {
    return SqlBasicAggFunction.create(name, kind, ReturnTypes.AVG_AGG_FUNCTION.andThen((binding, average) -> {
      RelDataTypeFactory types = binding.getTypeFactory();
      return average.getSqlTypeName() != SqlTypeName.DECIMAL ? average
          : types.createTypeWithNullability(types.createSqlType(SqlTypeName.DECIMAL, types.getTypeSystem().getMaxPrecision(SqlTypeName.DECIMAL),
              average.getScale()), average.isNullable());
    }), OperandTypes.NUMERIC).withFunctionType(SqlFunctionCategory.NUMERIC);
  }

  /** The table function of that name, in upper case; null if scripts can call none. */
  public static SqlFunction tableFunction(String name) {
    return TABLE_FUNCTIONS.get(name);
  }

  /** The names of the table functions that scripts can call, in order. */
  public static Set<String> tableFunctions() {
    return TABLE_FUNCTIONS.keySet();
  }

  /** How a table function reads its input; null of any other operator. */
  public static TableFunction.Reading reading(SqlOperator operator) {
    return operator instanceof TableFunction function ? function.reading() : null;
  }

  /** Whether Spark computes the function under a name of its own. */
  public static boolean isSparks(SqlOperator operator) {
    return operator instanceof SparkFunctions.SparkFunction;
  }

  /** Whether scripts can call a function of that name already. */
  public static boolean isFunction(String name) {
    List<SqlOperator> found = new ArrayList<>();
    ALL.lookupOperatorOverloads(new SqlIdentifier(name, SqlParserPos.ZERO), null, SqlSyntax.FUNCTION, found,
        SqlNameMatchers.withCaseSensitive(false));
    return !found.isEmpty();
  }

  private static SqlFunction zoned(String name, String method) {
    SqlOperandMetadata operands = OperandTypes.operandMetadata(List.of(SqlTypeFamily.TIMESTAMP, SqlTypeFamily.CHARACTER),
        types -> List.of(types.createSqlType(SqlTypeName.TIMESTAMP, 3), types.createSqlType(SqlTypeName.VARCHAR)),
        i -> i == 0 ? "TIME" : "ZONE", i -> false);
    return new SqlUserDefinedFunction(new SqlIdentifier(name, SqlParserPos.ZERO), SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 3).andThen(SqlTypeTransforms.TO_NULLABLE), null, operands,
        new Zones.Call(method));
  }

  private static SqlAggFunction percentile(String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return new SqlAggFunction(name, null, SqlKind.OTHER_FUNCTION, type, null, operands,
        SqlFunctionCategory.USER_DEFINED_FUNCTION, false, false, Optionality.FORBIDDEN) { };
  }

  private static SqlFunction timeFunction(String name) {
    return new SqlFunction(name, SqlKind.OTHER_FUNCTION, ReturnTypes.TIMESTAMP, null, OperandTypes.NILADIC,
        SqlFunctionCategory.TIMEDATE) {
      @Override public SqlSyntax getSyntax() {
        return SqlSyntax.FUNCTION;
      }

      @Override public boolean isDeterministic() {
        return false;
      }

      @Override public boolean isDynamicFunction() {
        return true;
      }
    };
  }

  private static RelDataType varchar(SqlOperatorBinding binding) {
    RelDataTypeFactory factory = binding.getTypeFactory();
    boolean nullable = binding.collectOperandTypes().stream().anyMatch(RelDataType::isNullable);
    return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.VARCHAR), nullable);
  }
}
