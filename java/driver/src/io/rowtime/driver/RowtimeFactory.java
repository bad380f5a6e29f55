package io.rowtime.driver;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaSpecificDatabaseMetaData;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;

/** Creates the driver's own connections, statements and result sets. */
final class RowtimeFactory implements AvaticaFactory {
  @Override public int getJdbcMajorVersion() {
    return 4;
  }

  @Override public int getJdbcMinorVersion() {
    return 2;
  }

  @Override public AvaticaConnection newConnection(UnregisteredDriver driver, AvaticaFactory factory, String url, Properties info) {
    return new RowtimeConnection(driver, factory, url, info);
  }

  @Override public AvaticaStatement newStatement(AvaticaConnection connection, Meta.StatementHandle h, int type, int concurrency,
      int holdability) {
    return new RowtimeStatement((RowtimeConnection) connection, h, type, concurrency, holdability);
  }

  @Override public AvaticaPreparedStatement newPreparedStatement(AvaticaConnection connection, Meta.StatementHandle h,
      Meta.Signature signature, int type, int concurrency, int holdability) throws SQLException {
    return new RowtimePreparedStatement((RowtimeConnection) connection, h, signature, type, concurrency, holdability);
  }

  @Override public AvaticaResultSet newResultSet(AvaticaStatement statement, QueryState state, Meta.Signature signature,
      TimeZone timeZone, Meta.Frame firstFrame) throws SQLException {
    return new RowtimeResultSet(statement, state, signature, newResultSetMetaData(statement, signature), timeZone, firstFrame);
  }

  @Override public AvaticaSpecificDatabaseMetaData newDatabaseMetaData(AvaticaConnection connection) {
    return new RowtimeMetaData((RowtimeConnection) connection);
  }

  @Override public ResultSetMetaData newResultSetMetaData(AvaticaStatement statement, Meta.Signature signature) {
    return new RowtimeResultSetMetaData(statement, signature);
  }
}
