package io.rowtime.validate.function;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandMetadata;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/** A table function whose first argument is a table and whose other arguments can be named. */
abstract class RowtimeTableFunction extends SqlFunction implements TableFunction {
  private final List<String> parameters;
  private final SqlReturnTypeInference rowType;
  private final InputMode inputMode;

  /** @param required how many of the parameters are required */
  RowtimeTableFunction(String name, List<String> parameters, int required, SqlReturnTypeInference rowType, InputMode inputMode) {
    super(name, SqlKind.OTHER_FUNCTION, ReturnTypes.CURSOR, null, new Arguments(parameters, required),
        SqlFunctionCategory.SYSTEM);
    this.parameters = parameters;
    this.rowType = rowType;
    this.inputMode = inputMode;
  }

  @Override public List<String> parameters() {
    return parameters;
  }

  @Override public InputMode inputMode() {
    return inputMode;
  }

  /** Returns the columns that {@code on_key} can name, by the type of the table. */
  RelDataType described(RelDataType input) {
    return input;
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return rowType;
  }

  @Override public boolean argumentMustBeScalar(int ordinal) {
    return ordinal != 0;
  }

  private record Arguments(List<String> paramNames, int required) implements SqlOperandMetadata {
    @Override public List<RelDataType> paramTypes(RelDataTypeFactory factory) {
      return paramNames.stream().map(name -> factory.createSqlType(SqlTypeName.ANY)).toList();
    }

    @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      if (binding.getOperandType(0).isStruct()) {
        checkKey(binding);
        return true;
      }
      if (throwOnFailure) {
        throw binding.newValidationSignatureError();
      }
      return false;
    }

    /** Checks that the columns of {@code on_key} are columns of the table. */
    private void checkKey(SqlCallBinding binding) {
      int position = paramNames.indexOf("ON_KEY");
      if (position < 0 || position >= binding.getOperandCount() || !(binding.operand(position) instanceof SqlCall names)) {
        return;
      }
      RelDataType table = ((RowtimeTableFunction) binding.getOperator()).described(binding.getOperandType(0));
      SqlNameMatcher matcher = binding.getValidator().getCatalogReader().nameMatcher();
      for (SqlNode name : names.getOperandList()) {
        if (name instanceof SqlLiteral column && matcher.field(table, column.toValue()) == null) {
          throw new DiagnosticException("RT0112", name.getParserPosition(), "Column '" + column.toValue() + "' not found in the table",
              "its columns are " + String.join(", ", table.getFieldNames()));
        }
      }
    }

    @Override public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.between(required, paramNames.size());
    }

    @Override public boolean isOptional(int i) {
      return i >= required;
    }

    @Override public String getAllowedSignatures(SqlOperator op, String opName) {
      return opName + "(" + String.join(", ", paramNames).toLowerCase(Locale.ROOT) + ")";
    }
  }
}
