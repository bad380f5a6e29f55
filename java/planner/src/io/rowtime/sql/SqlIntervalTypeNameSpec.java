package io.rowtime.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/**
 * {@code INTERVAL DAY TO SECOND} as the type of a function's parameter; Calcite supports it only in literals and in
 * CAST.
 */
public final class SqlIntervalTypeNameSpec extends SqlTypeNameSpec {
  private final SqlIntervalQualifier qualifier;

  private SqlIntervalTypeNameSpec(SqlIntervalQualifier qualifier, SqlParserPos pos) {
    super(new SqlIdentifier("INTERVAL", pos), pos);
    this.qualifier = qualifier;
  }

  public static SqlDataTypeSpec spec(SqlIntervalQualifier qualifier, SqlParserPos pos) {
    return new SqlDataTypeSpec(new SqlIntervalTypeNameSpec(qualifier, pos), pos);
  }

  @Override public RelDataType deriveType(SqlValidator validator) {
    return validator.getTypeFactory().createSqlIntervalType(qualifier);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("INTERVAL");
    qualifier.unparse(writer, leftPrec, rightPrec);
  }

  @Override public boolean equalsDeep(SqlTypeNameSpec other, Litmus litmus) {
    return other instanceof SqlIntervalTypeNameSpec interval && qualifier.equalsDeep(interval.qualifier, litmus) ? litmus.succeed()
        : litmus.fail("{} != {}", this, other);
  }
}
