package io.rowtime.validate;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.ScalarFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.apache.calcite.util.Util;

/** A function of the catalog, for the validator. Its result is nullable, and follows no clock. */
public final class UserFunction extends SqlUserDefinedFunction {
  /** Options of the catalog object. */
  public static final String LANGUAGE = "language";
  public static final String BODY = "body";
  public static final String RETURNS = "returns";
  public static final String DETERMINISTIC = "deterministic";
  /** For table functions: {@link #ROWS}, or {@link ProcessFunction#PROCESS}. */
  public static final String TABLE = "table";
  /** A table function that returns rows for the values of one row. */
  public static final String ROWS = "rows";

  public static final Set<String> LANGUAGES = Set.of("PYTHON", "JAVA");

  private static final Pattern PYTHON = Pattern.compile("[\\w.]+:[\\w.]+");
  private static final Pattern JAVA = Pattern.compile("[\\w.$]+(:\\w+)?");

  private final CatalogObject definition;
  private final List<RelDataType> parameters;
  private final RelDataType returns;
  /** The call of the text of which this is the function; null: of any. */
  private final String call;

  private UserFunction(CatalogObject definition, List<RelDataType> parameters, RelDataType returns, String call) {
    super(new SqlIdentifier(definition.name(), SqlParserPos.ZERO), SqlKind.OTHER_FUNCTION, ReturnTypes.explicit(returns),
        InferTypes.explicit(parameters),
        OperandTypes.operandMetadata(parameters.stream().map(UserFunction::family).toList(), factory -> parameters,
            i -> definition.columns().get(i).name(), i -> false),
        new Signature(parameters, returns));
    this.definition = definition;
    this.parameters = parameters;
    this.returns = returns;
    this.call = call;
  }

  /** Returns the function of a catalog object. */
  public static UserFunction of(CatalogObject definition, RowtimeValidator types) {
    List<RelDataType> parameters = definition.columns().stream().map(c -> TypeText.parse(c.type(), true, types)).toList();
    RelDataType returns = TypeText.parse(definition.options().get(RETURNS), true, types);
    if (ROWS.equals(definition.options().get(TABLE))) {
      RelDataTypeFactory factory = types.getTypeFactory();
      returns = factory.createArrayType(nullableFields(returns.getComponentType(), factory), -1);
    }
    return new UserFunction(definition, parameters, returns, null);
  }

  /**
   * Returns the function of one call in the text. If it is not deterministic, calls are equal that Calcite has made of the same call
   * of the text, and no others.
   */
  public UserFunction calledAt(String place) {
    return isDeterministic() ? this : new UserFunction(definition, parameters, returns, place);
  }

  @Override public boolean equals(Object other) {
    return super.equals(other) && other instanceof UserFunction function && Objects.equals(call, function.call);
  }

  @Override public int hashCode() {
    return Objects.hash(super.hashCode(), call);
  }

  /**
   * Returns the row type of a table function. All of its fields are nullable, which the text of a type cannot express.
   */
  static RelDataType nullableFields(RelDataType row, RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder fields = factory.builder();
    row.getFieldList().forEach(field -> fields.add(field.getName(), factory.createTypeWithNullability(field.getType(), true)));
    return fields.build();
  }

  /** Returns whether the text has the format of a location of a function in that language. */
  public static boolean isBody(String language, String body) {
    return (language.equals("PYTHON") ? PYTHON : JAVA).matcher(body).matches();
  }

  public CatalogObject definition() {
    return definition;
  }

  @Override public boolean isDeterministic() {
    return Boolean.parseBoolean(definition.options().get(DETERMINISTIC));
  }

  private static SqlTypeFamily family(RelDataType type) {
    return Util.first(type.getSqlTypeName() == SqlTypeName.ROW ? null : type.getSqlTypeName().getFamily(), SqlTypeFamily.ANY);
  }

  /** The signature, which is all that Calcite needs; it never runs the function. */
  private record Signature(List<RelDataType> parameters, RelDataType returns) implements ScalarFunction {
    @Override public List<FunctionParameter> getParameters() {
      return List.of();
    }

    @Override public RelDataType getReturnType(RelDataTypeFactory factory) {
      return returns;
    }
  }
}
