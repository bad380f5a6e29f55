package io.rowtime.driver;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** The metadata of a connection. Requests that Avatica's protocol lacks are sent as {@link ServerCalls} of our own. */
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

  @Override public ResultSet getFunctionColumns(String catalog, String schema, String function, String column) throws SQLException {
    return connection.listing("functionColumns", request -> request.put("function", function).put("column", column));
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

  @Override public boolean supportsCatalogsInTableDefinitions() {
    return false;
  }

  @Override public boolean supportsCatalogsInProcedureCalls() {
    return false;
  }

  @Override public boolean supportsCatalogsInIndexDefinitions() {
    return false;
  }

  @Override public boolean supportsCatalogsInPrivilegeDefinitions() {
    return false;
  }

  @Override public boolean supportsSchemasInDataManipulation() {
    return false;
  }

  @Override public boolean supportsSchemasInTableDefinitions() {
    return false;
  }

  @Override public boolean supportsSchemasInProcedureCalls() {
    return false;
  }

  @Override public boolean supportsSchemasInIndexDefinitions() {
    return false;
  }

  @Override public boolean supportsSchemasInPrivilegeDefinitions() {
    return false;
  }

  @Override public boolean supportsCorrelatedSubqueries() {
    return true;
  }

  @Override public boolean supportsSubqueriesInComparisons() {
    return true;
  }

  @Override public boolean supportsSubqueriesInExists() {
    return true;
  }

  @Override public boolean supportsSubqueriesInIns() {
    return true;
  }

  @Override public boolean supportsSubqueriesInQuantifieds() {
    return true;
  }
}
