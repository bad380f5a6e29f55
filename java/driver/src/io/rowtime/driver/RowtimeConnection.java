package io.rowtime.driver;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.Rep;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.MissingResultsException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.UnregisteredDriver;

/** A connection to a server. */
final class RowtimeConnection extends AvaticaConnection {
  private ServerCalls calls;

  RowtimeConnection(UnregisteredDriver driver, AvaticaFactory factory, String url, Properties info) {
    super(driver, factory, url, info);
  }

  void calls(ServerCalls made) {
    calls = made;
  }

  @Override public AvaticaStatement createStatement(int type, int concurrency, int holdability) throws SQLException {
    return ServerErrors.call(() -> super.createStatement(type, concurrency, holdability));
  }

  @Override public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability) throws SQLException {
    return ServerErrors.call(() -> super.prepareStatement(sql, type, concurrency, holdability));
  }

  @Override public void rollback() throws SQLException {
    ServerErrors.run(super::rollback);
  }

  @Override public void close() throws SQLException {
    ServerErrors.run(super::close);
  }

  /** Fetches rows of a result. */
  Meta.Frame fetch(Meta.StatementHandle handle, long offset, int most) throws SQLException {
    try {
      return meta.fetch(handle, offset, most);
    } catch (NoSuchStatementException | MissingResultsException | RuntimeException e) {
      throw ServerErrors.of(e);
    }
  }

  /** Sends a request about a statement that Avatica's protocol lacks. */
  JsonNode ask(String what, int statement, ServerCalls.Filler filler) throws SQLException {
    return calls.ask(what, id, statement, filler);
  }

  /** Returns a listing by the server, as a result set. */
  ResultSet listing(String what, ServerCalls.Filler filler) throws SQLException {
    JsonNode answer = ask(what, 0, filler);
    List<ColumnMetaData> columns = new ArrayList<>();
    for (JsonNode column : answer.get("columns")) {
      boolean number = column.get("type").get("jdbc").asInt() != Types.VARCHAR;
      ColumnMetaData.AvaticaType type = ColumnMetaData.scalar(column.get("type").get("jdbc").asInt(),
          column.get("type").get("text").asText(), number ? Rep.INTEGER : Rep.STRING);
      columns.add(MetaImpl.columnMetaData(column.get("name").asText(), columns.size(), type, true));
    }
    List<Object> rows = new ArrayList<>();
    JsonNode values = answer.get("values");
    for (int i = 0; i < values.get(0).size(); i++) {
      List<Object> row = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        JsonNode value = values.get(c).get(i);
        row.add(value.isNull() ? null : value.isTextual() ? value.asText() : columns.get(c).type.id == Types.SMALLINT
            ? (Object) (short) value.intValue() : (Object) value.intValue());
      }
      rows.add(row);
    }
    AvaticaStatement statement = createStatement();
    Meta.Signature signature = new Meta.Signature(columns, "", List.of(), Map.of(), Meta.CursorFactory.LIST, Meta.StatementType.SELECT);
    return createResultSet(Meta.MetaResultSet.create(id, statement.getId(), true, signature, new Meta.Frame(0, true, rows)),
        new QueryState(""));
  }
}
