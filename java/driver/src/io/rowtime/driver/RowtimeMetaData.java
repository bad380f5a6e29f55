package io.rowtime.driver;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** Metadata. What Avatica's protocol has no request for is asked of the server in another way. */
final class RowtimeMetaData extends AvaticaDatabaseMetaData {
  private final RowtimeConnection connection;

  RowtimeMetaData(RowtimeConnection connection) {
    super(connection);
    this.connection = connection;
  }

  @Override public ResultSet getPrimaryKeys(String catalog, String schema, String table) throws SQLException {
    return connection.listing("primaryKeys", request -> request.put("table", table));
  }

  @Override public ResultSet getFunctions(String catalog, String schema, String function) throws SQLException {
    return connection.listing("functions", request -> request.put("function", function));
  }

  @Override public String getURL() {
    return "jdbc:rowtime:" + connection.config().url().replaceFirst("^https?:", "").replaceFirst("/$", "");
  }

  @Override public String getUserName() {
    return connection.config().avaticaUser();
  }

  @Override public boolean isReadOnly() {
    return false;
  }

  @Override public boolean supportsBatchUpdates() {
    return true;
  }

  @Override public boolean supportsTransactions() {
    return false;
  }

  @Override public boolean supportsCatalogsInDataManipulation() {
    return false;
  }

  @Override public boolean supportsSchemasInDataManipulation() {
    return false;
  }
}
