package io.rowtime.validate.function;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;

/** Checks the columns that TUMBLE, HOP and SESSION name, and names the two that they add. */
final class WindowColumns {
  private WindowColumns() {}

  /** Returns Calcite's row type with these columns in upper case, like all unquoted names. */
  static SqlReturnTypeInference withUpperCaseNames(SqlReturnTypeInference calcites) {
    return binding -> {
      RelDataType row = calcites.inferReturnType(binding);
      int input = row.getFieldCount() - 2;
      RelDataTypeFactory.Builder builder = binding.getTypeFactory().builder().addAll(row.getFieldList().subList(0, input));
      row.getFieldList().subList(input, input + 2).forEach(field -> builder.add(field.getName().toUpperCase(Locale.ROOT), field.getType()));
      return builder.build();
    };
  }

  /** Checks that the columns of DESCRIPTORs are columns of the table, and that the first one is a time. */
  static void check(SqlCallBinding binding) {
    RelDataType table = binding.getOperandType(0);
    for (int i = 1; i < binding.getOperandCount(); i++) {
      if (binding.operand(i).getKind() != SqlKind.DESCRIPTOR || !table.isStruct()) {
        continue;
      }
      for (SqlNode column : ((SqlCall) binding.operand(i)).getOperandList()) {
        SqlIdentifier id = (SqlIdentifier) column;
        RelDataTypeField field = binding.getValidator().getCatalogReader().nameMatcher().field(table, id.getSimple());
        if (field == null) {
          throw new DiagnosticException("RT0112", id.getParserPosition(), "Column '" + id.getSimple() + "' not found in the table",
              "its columns are " + String.join(", ", table.getFieldNames()));
        }
        if (i == 1 && field.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
          throw new DiagnosticException("RT0113", id.getParserPosition(), "A window needs a TIMESTAMP, but column '" + field.getName()
              + "' is " + field.getType().getSqlTypeName().getName(), "name a column of type TIMESTAMP, or compute one in a sub-query");
        }
      }
    }
  }
}
