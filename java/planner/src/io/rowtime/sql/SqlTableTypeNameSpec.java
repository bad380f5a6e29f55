package io.rowtime.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/** {@code TABLE} as the type of a function's parameter, which accepts a table. No value has this type. */
public final class SqlTableTypeNameSpec extends SqlTypeNameSpec {
  /** The type's name in the catalog. */
  public static final String TABLE = "TABLE";

  private SqlTableTypeNameSpec(SqlParserPos pos) {
    super(new SqlIdentifier(TABLE, pos), pos);
  }

  public static SqlDataTypeSpec spec(SqlParserPos pos) {
    return new SqlDataTypeSpec(new SqlTableTypeNameSpec(pos), pos).withNullable(true);
  }

  @Override public RelDataType deriveType(SqlValidator validator) {
    throw new UnsupportedOperationException("TABLE is not the type of a value");
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(TABLE);
  }

  @Override public boolean equalsDeep(SqlTypeNameSpec other, Litmus litmus) {
    return other instanceof SqlTableTypeNameSpec ? litmus.succeed() : litmus.fail("{} != {}", this, other);
  }
}
