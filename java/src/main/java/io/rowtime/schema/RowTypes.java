package io.rowtime.schema;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.validate.RowtimeValidator;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** Row types of catalog objects, made with the types of a connection of Calcite's. */
final class RowTypes {
  private RowTypes() {}

  static RelDataType of(CatalogObject object, RelDataTypeFactory types) {
    CalciteCatalogReader none = new CalciteCatalogReader(CalciteSchema.createRootSchema(false, false), List.of(), types,
        new CalciteConnectionConfigImpl(new Properties()));
    RowtimeValidator validator = new RowtimeValidator(SqlOperatorTables.of(), none, types);
    RelDataTypeFactory.Builder builder = types.builder();
    for (CatalogColumn column : object.columns()) {
      builder.add(column.name(), TypeText.parse(column.type(), column.nullable(), validator));
    }
    return builder.build();
  }

}
