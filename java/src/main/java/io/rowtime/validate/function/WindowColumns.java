package io.rowtime.validate.function;

import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** The two columns that TUMBLE, HOP and SESSION add. */
final class WindowColumns {
  private WindowColumns() {}

  /** Calcite's row type with these columns in upper case, like all names that are not quoted. */
  static SqlReturnTypeInference named(SqlReturnTypeInference calcites) {
    return binding -> {
      RelDataType row = calcites.inferReturnType(binding);
      int input = row.getFieldCount() - 2;
      RelDataTypeFactory.Builder builder = binding.getTypeFactory().builder().addAll(row.getFieldList().subList(0, input));
      row.getFieldList().subList(input, input + 2).forEach(field -> builder.add(field.getName().toUpperCase(Locale.ROOT), field.getType()));
      return builder.build();
    };
  }
}
