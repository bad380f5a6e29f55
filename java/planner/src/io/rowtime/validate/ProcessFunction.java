package io.rowtime.validate;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.sql.SqlTableTypeNameSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;

/**
 * A table function of the catalog with a TABLE parameter, for the validator. Its calls have the form that {@link
 * UserTableCalls} gives them: the table, the other arguments, and the names of the PARTITION BY columns.
 *
 * <p>The columns of its result are ROWTIME, the PARTITION BY columns, and the declared columns.
 */
public final class ProcessFunction extends SqlFunction implements SqlTableFunction {
  /** Options of the catalog object; the two durations are in milliseconds. */
  public static final String PROCESS = "process";
  public static final String STATE_TTL = "state_ttl";
  public static final String DELAY = "delay";

  private final CatalogObject definition;
  private final RelDataType columns;

  private ProcessFunction(CatalogObject definition, RelDataType columns) {
    super(definition.name(), SqlKind.OTHER_FUNCTION, ReturnTypes.CURSOR, null, new Arguments(definition),
        SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
    this.definition = definition;
    this.columns = columns;
  }

  /** Returns the function of a catalog object. */
  public static ProcessFunction of(CatalogObject definition, RowtimeValidator types) {
    return new ProcessFunction(definition, UserFunction.nullableFields(
        TypeText.parse(definition.options().get(UserFunction.RETURNS), false, types), types.getTypeFactory()));
  }

  /** Returns whether the options are those of such a function. */
  public static boolean isOne(Map<String, String> options) {
    return PROCESS.equals(options.get(UserFunction.TABLE));
  }

  public CatalogObject definition() {
    return definition;
  }

  /** Returns the index of the parameter for the table. */
  public static int table(CatalogObject definition) {
    for (int i = 0; i < definition.columns().size(); i++) {
      if (definition.columns().get(i).type().equals(SqlTableTypeNameSpec.TABLE)) {
        return i;
      }
    }
    throw new IllegalStateException("The catalog is damaged: '" + definition.name() + "' has no TABLE parameter");
  }

  /** Returns the parameters other than the table. */
  public List<CatalogColumn> parameters() {
    List<CatalogColumn> parameters = new ArrayList<>(definition.columns());
    parameters.remove(table(definition));
    return parameters;
  }

  /** Returns how long the state of a partition is kept after its last row, in milliseconds; null if not declared. */
  public Long stateTtl() {
    String declared = definition.options().get(STATE_TTL);
    return declared == null ? null : Long.valueOf(declared);
  }

  /** Returns how far the ROWTIME of a row may be before the time at which the row is emitted, in milliseconds. */
  public long delay() {
    return Long.parseLong(definition.options().getOrDefault(DELAY, "0"));
  }

  @Override public SqlReturnTypeInference getRowTypeInference() {
    return this::row;
  }

  private RelDataType row(SqlOperatorBinding binding) {
    RelDataType input = binding.getOperandType(0);
    RelDataTypeFactory.Builder row = binding.getTypeFactory().builder();
    row.add(field(input, CatalogObject.ROWTIME));
    int first = definition.columns().size();
    for (int i = first; i < binding.getOperandCount(); i++) {
      row.add(field(input, binding.getOperandLiteralValue(i, String.class)));
    }
    return row.addAll(columns.getFieldList()).build();
  }

  /** Returns a column of the table, by its name as written in the statement; null if there is none. */
  public static RelDataTypeField field(RelDataType table, String name) {
    return SqlNameMatchers.withCaseSensitive(false).field(table, name);
  }

  @Override public boolean argumentMustBeScalar(int ordinal) {
    return ordinal != 0;
  }

  private record Arguments(CatalogObject definition) implements SqlOperandTypeChecker {
    @Override public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      RelDataType input = binding.getOperandType(0);
      SqlParserPos place = binding.getCall().getParserPosition();
      RelDataTypeField rowtime = field(input, CatalogObject.ROWTIME);
      if (rowtime == null || rowtime.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
        throw refused(place, "The table that " + definition.name() + " processes has no ROWTIME", "select ROWTIME as well");
      }
      SqlNameMatcher matcher = SqlNameMatchers.withCaseSensitive(false);
      RelDataType columns = TypeText.parse(definition.options().get(UserFunction.RETURNS), false, binding.getValidator());
      Set<RelDataTypeField> seen = new HashSet<>();
      for (int i = definition.columns().size(); i < binding.getOperandCount(); i++) {
        SqlLiteral name = binding.operand(i) instanceof SqlLiteral literal ? literal : null;
        RelDataTypeField key = matcher.field(input, name.toValue());
        if (key == null) {
          throw new DiagnosticException("RT0112", name.getParserPosition(), "Column '" + name.toValue() + "' not found in the table",
              "its columns are " + String.join(", ", input.getFieldNames()));
        }
        if (!seen.add(key)) {
          throw refused(name.getParserPosition(), "Column '" + key.getName() + "' is named twice in PARTITION BY", "leave one of them out");
        }
        if (key == rowtime || matcher.field(columns, key.getName()) != null) {
          throw refused(name.getParserPosition(), key == rowtime ? "ROWTIME cannot be a PARTITION BY column"
              : definition.name() + " gives a column '" + key.getName() + "' as well", "rename the PARTITION BY column in a sub-query");
        }
      }
      return true;
    }

    private static DiagnosticException refused(SqlParserPos place, String message, String hint) {
      return new DiagnosticException("RT0120", place, message, hint);
    }

    @Override public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.from(definition.columns().size());
    }

    @Override public String getAllowedSignatures(SqlOperator op, String opName) {
      return opName + "(" + String.join(", ", definition.columns().stream().map(CatalogColumn::name).toList()).toLowerCase(Locale.ROOT) + ")";
    }
  }
}
