package io.rowtime.driver;

import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaResultSetMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;

/** The columns of a result. They belong to no table, for which JDBC uses an empty name. */
final class RowtimeResultSetMetaData extends AvaticaResultSetMetaData {
  RowtimeResultSetMetaData(AvaticaStatement statement, Meta.Signature signature) {
    super(statement, null, signature);
  }

  @Override public String getTableName(int column) throws SQLException {
    return orEmpty(super.getTableName(column));
  }

  @Override public String getSchemaName(int column) throws SQLException {
    return orEmpty(super.getSchemaName(column));
  }

  @Override public String getCatalogName(int column) throws SQLException {
    return orEmpty(super.getCatalogName(column));
  }

  private static String orEmpty(String name) {
    return name == null ? "" : name;
  }
}
