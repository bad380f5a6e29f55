package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.serve.ClientConnection.ClientStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.QueryState;
import org.apache.calcite.avatica.proto.Common;
import org.apache.calcite.avatica.proto.Requests;
import org.apache.calcite.avatica.remote.ProtobufMeta;
import org.apache.calcite.avatica.remote.TypedValue;

/** Answers Avatica's requests with the {@link Backend}. */
final class ServeMeta extends MetaImpl implements ProtobufMeta {
  /** The number of rows in the first answer, or if a client specifies none. */
  private static final int FIRST_ROWS = 1_000;
  private static final int MAX_ROWS = 10_000;

  private final ClientConnections connections;
  private final BackendCalls backend;

  ServeMeta(ClientConnections connections, BackendCalls backend) {
    super(null);
    this.connections = connections;
    this.backend = backend;
  }

  // --- connections and statements -----------------------------------------------------------------------------------

  @Override public void openConnection(ConnectionHandle ch, Map<String, String> info) {
    connections.open(ch.id);
  }

  @Override public void closeConnection(ConnectionHandle ch) {
    connections.close(ch.id);
  }

  @Override public ConnectionProperties connectionSync(ConnectionHandle ch, ConnectionProperties given) {
    return connections.with(ch.id, connection -> {
      connection.properties.merge(given);
      connection.properties.setDirty(false);
      return connection.properties;
    });
  }

  @Override public void commit(ConnectionHandle ch) {
    // Each statement is durable when it returns.
  }

  @Override public void rollback(ConnectionHandle ch) {
    throw ServeException.of("RT0330", "ROLLBACK is not supported on streams", "Each INSERT is durable when it returns, and cannot be rolled back");
  }

  @Override public StatementHandle createStatement(ConnectionHandle ch) {
    return connections.with(ch.id, connection -> new StatementHandle(ch.id, connection.add().id, null));
  }

  @Override public void closeStatement(StatementHandle h) {
    connections.with(h.connectionId, connection -> {
      if (connection.remove(h.id)) {
        backend.call("close", h.connectionId, h.id, request -> { });
      }
      return null;
    });
  }

  @Override public boolean syncResults(StatementHandle h, QueryState state, long offset) {
    throw ServeException.noStatement();
  }

  // --- statements that run ------------------------------------------------------------------------------------------

  @Override public StatementHandle prepare(ConnectionHandle ch, String sql, long maxRowCount) {
    return connections.with(ch.id, connection -> {
      ClientStatement statement = connection.add();
      try {
        JsonNode answer = backend.call("prepare", ch.id, statement.id, request -> request.put("sql", sql).put("most", maxRowCount));
        statement.columns = answer.get("columns");
        statement.signature = signature(answer, sql);
      } catch (RuntimeException e) {
        connection.remove(statement.id);
        throw e;
      }
      return new StatementHandle(ch.id, statement.id, statement.signature);
    });
  }

  @Deprecated
  @Override public ExecuteResult prepareAndExecute(StatementHandle h, String sql, long maxRowCount, PrepareCallback callback) {
    return prepareAndExecute(h, sql, maxRowCount, -1, callback);
  }

  @Override public ExecuteResult prepareAndExecute(StatementHandle h, String sql, long maxRowCount, int maxRowsInFirstFrame,
      PrepareCallback callback) {
    return on(h, (connection, statement) -> {
      JsonNode answer = backend.call("execute", h.connectionId, h.id,
          request -> request.put("sql", sql).put("most", maxRowCount).put("first", rows(maxRowsInFirstFrame)));
      return result(h, statement, answer, sql);
    });
  }

  @Deprecated
  @Override public ExecuteResult execute(StatementHandle h, List<TypedValue> parameterValues, long maxRowCount) {
    return execute(h, parameterValues, -1);
  }

  @Override public ExecuteResult execute(StatementHandle h, List<TypedValue> parameterValues, int maxRowsInFirstFrame) {
    return on(h, (connection, statement) -> {
      if (statement.signature == null) {
        throw ServeException.noStatement();
      }
      List<List<TypedValue>> one = List.of(parameterValues == null ? List.of() : parameterValues);
      JsonNode answer = backend.call("execute", h.connectionId, h.id,
          request -> batch(request.put("first", rows(maxRowsInFirstFrame)), statement, one));
      return result(h, statement, answer, statement.signature.sql);
    });
  }

  @Override public ExecuteBatchResult prepareAndExecuteBatch(StatementHandle h, List<String> statements) {
    return on(h, (connection, statement) -> {
      List<Long> counts = new ArrayList<>();
      for (String sql : statements) {
        JsonNode answer = backend.call("execute", h.connectionId, h.id,
            request -> request.put("sql", sql).put("most", -1).put("first", 1).put("update", true));
        counts.add(answer.path("count").asLong(0));
      }
      return new ExecuteBatchResult(counts.stream().mapToLong(Long::longValue).toArray());
    });
  }

  @Override public ExecuteBatchResult executeBatchProtobuf(StatementHandle h, List<Requests.UpdateBatch> updates) {
    List<List<TypedValue>> rows = new ArrayList<>(updates.size());
    for (Requests.UpdateBatch update : updates) {
      List<TypedValue> row = new ArrayList<>(update.getParameterValuesCount());
      for (Common.TypedValue value : update.getParameterValuesList()) {
        row.add(value.getNull() || value.getImplicitlyNull() ? null : TypedValue.fromProto(value));
      }
      rows.add(row);
    }
    return executeBatch(h, rows);
  }

  @Override public ExecuteBatchResult executeBatch(StatementHandle h, List<List<TypedValue>> rows) {
    return on(h, (connection, statement) -> {
      if (statement.signature == null) {
        throw ServeException.noStatement();
      }
      if (rows.isEmpty()) {
        return new ExecuteBatchResult(new long[0]);
      }
      JsonNode answer = backend.call("batch", h.connectionId, h.id, request -> batch(request, statement, rows));
      long[] counts = new long[rows.size()];
      Arrays.fill(counts, answer.get("each").asLong());
      return new ExecuteBatchResult(counts);
    });
  }

  @Override public Frame fetch(StatementHandle h, long offset, int fetchMaxRowCount) {
    return on(h, (connection, statement) -> {
      JsonNode columns = statement.columns;
      JsonNode answer = backend.call("fetch", h.connectionId, h.id,
          request -> request.put("offset", offset).put("first", rows(fetchMaxRowCount)));
      return new Frame(offset, answer.get("done").asBoolean(), RowValues.rows(columns, answer.get("values")));
    });
  }

  // --- metadata -----------------------------------------------------------------------------------------------------

  @Override public MetaResultSet getCatalogs(ConnectionHandle ch) {
    return listing(ch, "catalogs", request -> { });
  }

  @Override public MetaResultSet getSchemas(ConnectionHandle ch, String catalog, Pat schemaPattern) {
    return listing(ch, "schemas", request -> request.put("catalog", catalog).put("schema", schemaPattern.s));
  }

  @Override public MetaResultSet getTableTypes(ConnectionHandle ch) {
    return listing(ch, "tableTypes", request -> { });
  }

  @Override public MetaResultSet getTypeInfo(ConnectionHandle ch) {
    return listing(ch, "typeInfo", request -> { });
  }

  @Override public MetaResultSet getTables(ConnectionHandle ch, String catalog, Pat schema, Pat table, List<String> types) {
    return listing(ch, "tables", request -> {
      request.put("catalog", catalog).put("schema", schema.s).put("table", table.s);
      if (types != null) {
        ArrayNode list = request.putArray("types");
        types.forEach(list::add);
      }
    });
  }

  @Override public MetaResultSet getColumns(ConnectionHandle ch, String catalog, Pat schema, Pat table, Pat column) {
    return listing(ch, "columns",
        request -> request.put("catalog", catalog).put("schema", schema.s).put("table", table.s).put("column", column.s));
  }

  @Override public Map<DatabaseProperty, Object> getDatabaseProperties(ConnectionHandle ch) {
    return connections.with(ch.id, connection -> DatabaseProperties.VALUES);
  }

  /** Returns the rows of a listing as the result of a statement that the client closes together with the result. */
  private MetaResultSet listing(ConnectionHandle ch, String what, BackendCalls.Filler filler) {
    return connections.with(ch.id, connection -> {
      JsonNode answer = backend.call(what, ch.id, 0, filler);
      ClientStatement statement = connection.add();
      List<ColumnMetaData> columns = ColumnTypes.columns(answer.get("columns"));
      Signature signature = Signature.create(columns, "", List.of(), CursorFactory.LIST, StatementType.SELECT);
      Frame frame = new Frame(0, true, RowValues.rows(answer.get("columns"), answer.get("values")));
      return MetaResultSet.create(ch.id, statement.id, true, signature, frame);
    });
  }

  // --- inside -------------------------------------------------------------------------------------------------------

  private <T> T on(StatementHandle h, BiFunction<ClientConnection, ClientStatement, T> action) {
    return connections.with(h.connectionId, connection -> action.apply(connection, connection.statement(h.id)));
  }

  private static int rows(int asked) {
    return asked <= 0 ? FIRST_ROWS : Math.min(asked, MAX_ROWS);
  }

  private static Signature signature(JsonNode answer, String sql) {
    boolean query = answer.get("query").asBoolean();
    List<ColumnMetaData> columns = query ? ColumnTypes.columns(answer.get("columns")) : List.of();
    return new Signature(columns, sql, ColumnTypes.parameters(answer.get("parameters")), Map.of(), CursorFactory.LIST,
        query ? StatementType.SELECT : StatementType.IS_DML);
  }

  private static ExecuteResult result(StatementHandle h, ClientStatement statement, JsonNode answer, String sql) {
    if (answer.has("count")) {
      return new ExecuteResult(List.of(MetaResultSet.count(h.connectionId, h.id, answer.get("count").asLong())));
    }
    JsonNode columns = answer.get("columns");
    statement.columns = columns;
    Signature signature = Signature.create(ColumnTypes.columns(columns), sql,
        statement.signature == null ? List.of() : statement.signature.parameters, CursorFactory.LIST, StatementType.SELECT);
    Frame frame = new Frame(0, answer.get("done").asBoolean(), RowValues.rows(columns, answer.get("values")));
    return new ExecuteResult(List.of(MetaResultSet.create(h.connectionId, h.id, false, signature, frame)));
  }

  /** Writes the rows of a batch, parameter by parameter. */
  private static void batch(ObjectNode request, ClientStatement statement, List<List<TypedValue>> rows) {
    int count = statement.signature.parameters.size();
    for (List<TypedValue> row : rows) {
      if (row.size() != count) {
        throw ServeException.of("RT0644", "The statement has " + count + " parameters, but " + row.size() + " values were given",
            "Set each parameter");
      }
    }
    request.put("rows", rows.size());
    ArrayNode parameters = request.putArray("parameters");
    for (int i = 0; i < count; i++) {
      int number = i;
      RowValues.write(rows.stream().map(row -> row.get(number)).toList(), parameters.addObject());
    }
  }
}
