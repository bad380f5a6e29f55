package io.rowtime.validate.function;

import io.rowtime.table.SharedTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlSingleOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Functions that Spark computes and Calcite lacks, from the table that the translator also reads ({@code
 * spark_functions.json} of the Python package).
 */
final class SparkFunctions {
  /**
   * A function.
   *
   * @param name its name in SQL; a name that starts with $ is the target of a rewrite of another function
   * @param spark its name in Spark
   * @param args the kinds of its arguments; one with a ? is optional, one with a * can be repeated
   * @param returns the kind of its result
   * @param nulls whether the result is NULL if an argument is (STRICT), also in other cases (PARTIAL), or NEVER
   */
  private record Entry(String name, String spark, List<String> args, String returns, Nulls nulls, boolean deterministic) {}

  /** When a result is NULL. */
  private enum Nulls { STRICT, PARTIAL, NEVER }

  private static final Map<String, SqlFunction> TABLE = read();

  private SparkFunctions() {}

  /** Returns the function with that name; null if there is none. */
  static SqlFunction named(String name) {
    return TABLE.get(name.toUpperCase(Locale.ROOT));
  }

  /** A function of the table. */
  static final class SparkFunction extends SqlFunction {
    private final boolean deterministic;

    private SparkFunction(Entry entry) {
      super(entry.name(), SqlKind.OTHER_FUNCTION, binding -> result(entry, binding), null, new Arguments(entry),
          SqlFunctionCategory.USER_DEFINED_FUNCTION);
      deterministic = entry.deterministic();
    }

    @Override public boolean isDeterministic() {
      return deterministic;
    }
  }

  private record Arguments(Entry entry) implements SqlOperandTypeChecker {
    @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      for (int i = 0; i < binding.getOperandCount(); i++) {
        if (!checker(i).checkSingleOperandType(binding, binding.operand(i), i, false)) {
          if (throwOnFailure) {
            throw binding.newValidationSignatureError();
          }
          return false;
        }
      }
      return true;
    }

    private SqlSingleOperandTypeChecker checker(int index) {
      return switch (kind(entry.args().get(Math.min(index, entry.args().size() - 1)))) {
        case "text" -> OperandTypes.family(SqlTypeFamily.CHARACTER);
        case "integer" -> OperandTypes.family(SqlTypeFamily.INTEGER);
        case "number", "double" -> OperandTypes.family(SqlTypeFamily.NUMERIC);
        case "boolean" -> OperandTypes.family(SqlTypeFamily.BOOLEAN);
        case "binary" -> OperandTypes.family(SqlTypeFamily.BINARY);
        case "datetime" -> OperandTypes.family(SqlTypeFamily.DATETIME);
        case "array" -> OperandTypes.family(SqlTypeFamily.ARRAY);
        default -> OperandTypes.family(SqlTypeFamily.ANY);
      };
    }

    @Override public SqlOperandCountRange getOperandCountRange() {
      int required = (int) entry.args().stream().filter(arg -> !arg.endsWith("?") && !arg.endsWith("*")).count();
      boolean any = entry.args().stream().anyMatch(arg -> arg.endsWith("*"));
      return any ? SqlOperandCountRanges.from(Math.max(required, 1)) : SqlOperandCountRanges.between(required, entry.args().size());
    }

    @Override public String getAllowedSignatures(SqlOperator op, String opName) {
      return opName + "(" + entry.args().stream().map(arg -> arg.endsWith("?") ? "[" + kind(arg) + "]" : arg.endsWith("*") ? kind(arg) + " …"
          : arg).collect(Collectors.joining(", ")) + ")";
    }
  }

  private static String kind(String arg) {
    return arg.replaceAll("[?*]$", "");
  }

  private static RelDataType result(Entry entry, SqlOperatorBinding binding) {
    RelDataTypeFactory types = binding.getTypeFactory();
    RelDataType type = switch (entry.returns()) {
      case "text" -> types.createSqlType(SqlTypeName.VARCHAR);
      case "integer" -> types.createSqlType(SqlTypeName.INTEGER);
      case "bigint" -> types.createSqlType(SqlTypeName.BIGINT);
      case "double" -> types.createSqlType(SqlTypeName.DOUBLE);
      case "boolean" -> types.createSqlType(SqlTypeName.BOOLEAN);
      case "binary" -> types.createSqlType(SqlTypeName.VARBINARY);
      case "date" -> types.createSqlType(SqlTypeName.DATE);
      case "timestamp" -> types.createSqlType(SqlTypeName.TIMESTAMP, 3);
      case "texts" -> types.createArrayType(types.createTypeWithNullability(types.createSqlType(SqlTypeName.VARCHAR), true), -1);
      case "arg0" -> binding.getOperandType(0);
      case "element" -> binding.getOperandType(0).getComponentType();
      default -> throw new IllegalStateException("The table of functions has a result of no kind: " + entry.returns());
    };
    boolean nullable = entry.nulls() == Nulls.PARTIAL
        || entry.nulls() == Nulls.STRICT && binding.collectOperandTypes().stream().anyMatch(RelDataType::isNullable);
    return types.createTypeWithNullability(type, nullable);
  }

  private static Map<String, SqlFunction> read() {
    return SharedTable.read(SparkFunctions.class, "spark_functions.json", Entry[].class).stream().map(SparkFunction::new)
        .collect(Collectors.toUnmodifiableMap(SqlFunction::getName, Function.identity()));
  }
}
