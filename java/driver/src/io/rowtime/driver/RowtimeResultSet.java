package io.rowtime.driver;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.QueryState;

/** A result set whose {@code next()} waits for a row, at most for the time-out of its statement. */
final class RowtimeResultSet extends AvaticaResultSet {
  RowtimeResultSet(AvaticaStatement statement, QueryState state, Meta.Signature signature, ResultSetMetaData metaData,
      TimeZone timeZone, Meta.Frame firstFrame) throws SQLException {
    super(statement, state, signature, metaData, timeZone, firstFrame);
  }

  @Override protected AvaticaResultSet execute() throws SQLException {
    StreamState own = ((StatefulStatement) statement).state();
    ResultFrames frames = new ResultFrames((RowtimeConnection) statement.connection, statement.handle, own, statement.getFetchSize(),
        firstFrame);
    own.frames(frames);
    return execute2(MetaImpl.createCursor(signature.cursorFactory, () -> frames), columnMetaDataList);
  }

  @Override public boolean next() throws SQLException {
    try {
      return super.next();
    } catch (ResultFrames.Failure e) {
      throw e.getCause();
    }
  }
}
