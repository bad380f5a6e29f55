package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.calcite.avatica.ConnectionPropertiesImpl;
import org.apache.calcite.avatica.Meta;

/** A connection of a client, with its statements. */
final class ClientConnection {
  /** The maximum number of statements. A client that opens more probably never closes them. */
  private static final int MAX_STATEMENTS = 1_000;

  final String id;
  final ConnectionPropertiesImpl properties = new ConnectionPropertiesImpl();
  private final Map<Integer, ClientStatement> statements = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger busy = new AtomicInteger();
  private volatile long used = System.nanoTime();

  ClientConnection(String id) {
    this.id = id;
    properties.setAutoCommit(true).setReadOnly(false).setTransactionIsolation(java.sql.Connection.TRANSACTION_NONE);
  }

  ClientStatement add() {
    if (statements.size() >= MAX_STATEMENTS) {
      throw ServeException.of("RT0643", "The connection has " + MAX_STATEMENTS + " open statements", "Close statements that are done");
    }
    ClientStatement statement = new ClientStatement(count.incrementAndGet());
    statements.put(statement.id, statement);
    return statement;
  }

  ClientStatement statement(int id) {
    ClientStatement statement = statements.get(id);
    if (statement == null) {
      throw ServeException.noStatement();
    }
    return statement;
  }

  /** Removes a statement. Returns whether it existed. */
  boolean remove(int id) {
    return statements.remove(id) != null;
  }

  void begin() {
    busy.incrementAndGet();
  }

  void end() {
    used = System.nanoTime();
    busy.decrementAndGet();
  }

  /** Returns whether no request has arrived for that long. */
  boolean isIdle(long nanos) {
    return busy.get() == 0 && System.nanoTime() - used > nanos;
  }

  /** A statement: its prepared form, and the columns of its current result. */
  static final class ClientStatement {
    final int id;
    volatile Meta.Signature signature;
    volatile JsonNode columns;

    ClientStatement(int id) {
      this.id = id;
    }
  }
}
