package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.validate.Environment;
import io.rowtime.validate.RowtimeValidator;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** Creates row types of catalog objects, with the types of a Calcite connection. */
final class RowTypes {
  private RowTypes() {}

  static RelDataType of(CatalogObject object, RelDataTypeFactory types) {
    CalciteCatalogReader none = new CalciteCatalogReader(CalciteSchema.createRootSchema(false, false), List.of(), types,
        new CalciteConnectionConfigImpl(new Properties()));
    return Environment.rowType(object, new RowtimeValidator(SqlOperatorTables.of(), none, types));
  }
}
