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
import org.apache.calcite.sql.fun.SqlCovarAggFunction;
import org.apache.calcite.sql.fun.SqlLeadLagAggFunction;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlNthValueAggFunction;
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

/** The operators that rowtime adds to Calcite's: table functions, with one class each, and other functions. */
public final class RowtimeOperators extends ReflectiveSqlOperatorTable {

  /** {@code ||} with scalars of any type on either side. */
  public static final SqlBinaryOperator CONCAT =
      new SqlBinaryOperator("||", SqlKind.OTHER, 60, true, RowtimeOperators::varchar, null, OperandTypes.ANY_ANY);

  /** {@code NOW()}: the time at which a row is processed. */
  public static final SqlFunction NOW = timeFunction("NOW");

  /** {@code PROCTIME()}: the same, with Flink's name. */
  public static final SqlFunction PROCTIME = timeFunction("PROCTIME");

  /** {@code FROM_UTC_TIMESTAMP(t, 'Europe/Berlin')}, as in Spark: the local time there. */
  public static final SqlFunction FROM_UTC_TIMESTAMP = zoneFunction("FROM_UTC_TIMESTAMP", "fromUtc");

  /** {@code TO_UTC_TIMESTAMP(t, 'Europe/Berlin')}: the time in UTC at which the local time there is {@code t}. */
  public static final SqlFunction TO_UTC_TIMESTAMP = zoneFunction("TO_UTC_TIMESTAMP", "toUtc");

  /** {@code MEDIAN(x)}, interpolated; NULL if there are no rows. */
  public static final SqlAggFunction MEDIAN =
      percentile("MEDIAN", ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE), OperandTypes.NUMERIC);

  /**
   * PERCENTILE_CONT in GROUP BY, with the result type DOUBLE for all arguments. For INTEGERs, Calcite would truncate
   * 1.5 to 1.
   */
  public static final SqlAggFunction PERCENTILE_CONT_OF_GROUPS =
      SqlBasicAggFunction.create("PERCENTILE_CONT", SqlKind.PERCENTILE_CONT, ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL).withFunctionType(SqlFunctionCategory.SYSTEM)
          .withGroupOrder(Optionality.MANDATORY).withPercentile(true);

  /** PERCENTILE_DISC in GROUP BY, NULL if there are no rows. */
  public static final SqlAggFunction PERCENTILE_DISC_OF_GROUPS =
      SqlBasicAggFunction.create("PERCENTILE_DISC", SqlKind.PERCENTILE_DISC, ReturnTypes.PERCENTILE_DISC_CONT.andThen(RowtimeOperators::nullableIfEmpty),
          OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL).withFunctionType(SqlFunctionCategory.SYSTEM)
          .withGroupOrder(Optionality.MANDATORY).withPercentile(true);

  /** {@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER …} as a call with x and the fraction. */
  public static final SqlAggFunction PERCENTILE_CONT =
      percentile("$PERCENTILE_CONT", ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.TO_NULLABLE).andThen(RowtimeOperators::nullableIfEmpty),
          OperandTypes.NUMERIC_NUMERIC);

  /** {@code PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x) OVER …} as a call with x and the fraction. */
  public static final SqlAggFunction PERCENTILE_DISC =
      percentile("$PERCENTILE_DISC", ReturnTypes.ARG0_NULLABLE_IF_EMPTY, OperandTypes.NUMERIC_NUMERIC);

  public static final SqlAggFunction VAR_POP = variance("VAR_POP", SqlKind.VAR_POP);

  public static final SqlAggFunction VAR_SAMP = variance("VAR_SAMP", SqlKind.VAR_SAMP);

  public static final SqlAggFunction VARIANCE = variance("VARIANCE", SqlKind.VAR_SAMP);

  /** One row has no sample covariance. */
  public static final SqlAggFunction COVAR_SAMP = new SqlCovarAggFunction(SqlKind.COVAR_SAMP) {
    @Override public RelDataType inferReturnType(SqlOperatorBinding binding) {
      return binding.getTypeFactory().createTypeWithNullability(super.inferReturnType(binding), true);
    }
  };

  /** A frame may have fewer than n rows. */
  public static final SqlAggFunction NTH_VALUE = new SqlNthValueAggFunction(SqlKind.NTH_VALUE) {
    @Override public RelDataType inferReturnType(SqlOperatorBinding binding) {
      return binding.getTypeFactory().createTypeWithNullability(super.inferReturnType(binding), true);
    }
  };

  public static final SqlAggFunction LAG = neighbor(SqlKind.LAG);

  public static final SqlAggFunction LEAD = neighbor(SqlKind.LEAD);

  /** LISTAGG, NULL if there are no rows. */
  public static final SqlAggFunction LISTAGG = new SqlAggFunction("LISTAGG", null, SqlKind.LISTAGG, ReturnTypes.ARG0_NULLABLE_IF_EMPTY, null,
      OperandTypes.STRING.or(OperandTypes.STRING_STRING), SqlFunctionCategory.SYSTEM, false, false, Optionality.OPTIONAL) { };

  /** STRING_AGG, NULL if there are no rows. */
  public static final SqlAggFunction STRING_AGG =
      SqlBasicAggFunction.create(SqlKind.STRING_AGG, ReturnTypes.ARG0_NULLABLE_IF_EMPTY, OperandTypes.STRING.or(OperandTypes.STRING_STRING))
          .withFunctionType(SqlFunctionCategory.SYSTEM).withSyntax(SqlSyntax.ORDERED_FUNCTION);

  public static final SqlFunction TUMBLE = new Tumble();

  public static final SqlFunction HOP = new Hop();

  public static final SqlFunction SESSION = new Session();

  public static final SqlFunction SNAPSHOT = new Snapshot();

  public static final SqlFunction VERSIONS = new Versions();

  /**
   * {@code $AS_OF(time, column)} in the condition of a join: its right side, which has the column, is read as of the
   * time.
   */
  public static final SqlFunction AS_OF = new SqlFunction("$AS_OF", SqlKind.OTHER_FUNCTION, ReturnTypes.BOOLEAN_NOT_NULL, null,
      OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  /**
   * {@code IN_HISTORY(time, begin, table)}: returns TRUE; for a time before the start of a table's history, the query
   * fails (RT0520).
   */
  public static final SqlFunction IN_HISTORY = new SqlFunction("IN_HISTORY", SqlKind.OTHER_FUNCTION, ReturnTypes.BOOLEAN_NOT_NULL, null,
      OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  public static final SqlFunction SEARCH_KEY = new SearchKey();

  public static final SqlFunction TO_CHANGELOG = new ToChangelog();

  public static final SqlFunction FROM_CHANGELOG = new FromChangelog();

  /**
   * The ROWTIME of a joined row, computed from the ROWTIMEs of its inputs. Planning replaces it by a column of the
   * join; its name cannot be written in SQL.
   */
  public static final SqlFunction JOIN_ROWTIME = new SqlFunction("$JOIN_ROWTIME", SqlKind.OTHER_FUNCTION,
      ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 3), null, OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM);

  /** The table functions that scripts can call, by name. */
  private static final Map<String, SqlFunction> TABLE_FUNCTIONS = new TreeMap<>();

  static {
    for (SqlFunction function : List.of(TUMBLE, HOP, SESSION, SNAPSHOT, SEARCH_KEY, TO_CHANGELOG, FROM_CHANGELOG)) {
      TABLE_FUNCTIONS.put(function.getName(), function);
    }
  }

  private static final RowtimeOperators INSTANCE = (RowtimeOperators) new RowtimeOperators().init();

  /** All operators that scripts can call: standard SQL, rowtime's own, and common functions of other systems. */
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

  /**
   * Loaded when first needed: loading Calcite's library of other systems' functions takes a noticeable part of a cold
   * start.
   */
  private static final class Libraries {
    static final SqlOperatorTable TABLE = SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
        SqlLibrary.SPARK, SqlLibrary.POSTGRESQL, SqlLibrary.ORACLE, SqlLibrary.MYSQL, SqlLibrary.BIG_QUERY);

    /** Library tables do not find functions with a special syntax. */
    static Optional<SqlOperator> safeCast(String name) {
      return Stream.<SqlOperator>of(SqlLibraryOperators.SAFE_CAST, SqlLibraryOperators.TRY_CAST)
          .filter(f -> f.getName().equalsIgnoreCase(name)).findFirst();
    }
  }

  private RowtimeOperators() {}

  /** In Calcite, the value of another row is never NULL if there is a default for the row that is missing. */
  private static SqlAggFunction neighbor(SqlKind kind) {
    return new SqlLeadLagAggFunction(kind) {
      @Override public RelDataType inferReturnType(SqlOperatorBinding binding) {
        RelDataType type = super.inferReturnType(binding);
        return binding.getTypeFactory().createTypeWithNullability(type, type.isNullable() || binding.getOperandType(0).isNullable());
      }
    };
  }

  /** In Calcite, a variance has the type of the average, which is too narrow for squared differences. */
  private static SqlAggFunction variance(String name, SqlKind kind) {
    return SqlBasicAggFunction.create(name, kind, ReturnTypes.AVG_AGG_FUNCTION.andThen((binding, average) -> {
      RelDataTypeFactory types = binding.getTypeFactory();
      // One value has no sample variance.
      boolean nullable = average.isNullable() || kind == SqlKind.VAR_SAMP;
      return types.createTypeWithNullability(average.getSqlTypeName() != SqlTypeName.DECIMAL ? average
          : types.createSqlType(SqlTypeName.DECIMAL, types.getTypeSystem().getMaxPrecision(SqlTypeName.DECIMAL), average.getScale()), nullable);
    }), OperandTypes.NUMERIC).withFunctionType(SqlFunctionCategory.NUMERIC);
  }

  /** Returns the type, as that of an aggregate function that is NULL if there are no rows. */
  private static RelDataType nullableIfEmpty(SqlOperatorBinding binding, RelDataType type) {
    boolean empty = binding.hasEmptyGroup() || binding.hasFilter();
    return binding.getTypeFactory().createTypeWithNullability(type, type.isNullable() || empty);
  }

  /** Returns the table function with that name, in upper case; null if scripts cannot call any such function. */
  public static SqlFunction tableFunction(String name) {
    return TABLE_FUNCTIONS.get(name);
  }

  /** Returns the names of the table functions that scripts can call, in order. */
  public static Set<String> tableFunctions() {
    return TABLE_FUNCTIONS.keySet();
  }

  /** Returns how a table function reads its input; null for any other operator. */
  public static TableFunction.InputMode inputMode(SqlOperator operator) {
    return operator instanceof TableFunction function ? function.inputMode() : null;
  }

  /** Returns whether Spark computes the function, with Spark's name for it. */
  public static boolean isSparks(SqlOperator operator) {
    return operator instanceof SparkFunctions.SparkFunction;
  }

  /** Returns whether scripts can already call a function with that name. */
  public static boolean isFunction(String name) {
    List<SqlOperator> found = new ArrayList<>();
    ALL.lookupOperatorOverloads(new SqlIdentifier(name, SqlParserPos.ZERO), null, SqlSyntax.FUNCTION, found,
        SqlNameMatchers.withCaseSensitive(false));
    return !found.isEmpty();
  }

  private static SqlFunction zoneFunction(String name, String method) {
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
