package io.rowtime.validate;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SelectNamespace;
import org.apache.calcite.sql.validate.SqlValidatorImpl;

/**
 * The first query of a WITH RECURSIVE. All of its columns are nullable: Calcite takes the types of the recursive rows
 * from this query alone, and a column that is never NULL in it may be NULL in later rows.
 */
public final class RecursionAnchor extends SqlSelect {

  private RecursionAnchor(SqlSelect query) {
    super(query.getParserPosition(), query.operand(0), query.getSelectList(), query.getFrom(), query.getWhere(), query.getGroup(),
        query.getHaving(), query.getWindowList(), query.getQualify(), query.getOrderList(), query.getOffset(), query.getFetch(),
        query.getHints());
  }

  public static RecursionAnchor of(SqlNode query) {
    SqlParserPos pos = query.getParserPosition();
    // EXPR$0 is Calcite's name for the only column of a VALUES without other names, when it is read through its table.
    return new RecursionAnchor(query instanceof SqlSelect select ? select
        : Selects.star(SqlStdOperatorTable.AS.createCall(pos, query, new SqlIdentifier("EXPR$0", pos)), pos));
  }

  SelectNamespace namespace(SqlValidatorImpl validator, SqlNode enclosing) {
    return new SelectNamespace(validator, this, enclosing) {
      @Override public RelDataType validateImpl(RelDataType target) {
        return nullable(super.validateImpl(target), validator.getTypeFactory());
      }
    };
  }

  /** Returns the same columns, made nullable. */
  public static RelDataType nullable(RelDataType rows, RelDataTypeFactory types) {
    RelDataTypeFactory.Builder nullable = types.builder();
    rows.getFieldList().forEach(field -> nullable.add(field.getName(), types.createTypeWithNullability(field.getType(), true)));
    return nullable.build();
  }
}
