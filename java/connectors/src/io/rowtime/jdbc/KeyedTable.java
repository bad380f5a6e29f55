package io.rowtime.jdbc;

import io.rowtime.operator.spec.SearchKeySpec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.executor.InputMetrics;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils$;
import org.apache.spark.sql.jdbc.JdbcDialects;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import scala.collection.Iterator;

/** Looks up rows of a database table by key. Several threads may use it at once. */
public final class KeyedTable {
  /** How long a server may take to end a statement before its connection is closed anyway. */
  private static final long CANCEL_MILLIS = 1000;

  private final ConnectionPool connections;
  private final DatabaseTable table;
  private final SearchKeySpec spec;
  private final StructType fetched;
  private final StructType keys;

  /** @param keys the types of the key values */
  public KeyedTable(DatabaseTable table, SearchKeySpec spec, StructType keys) {
    this.connections = new ConnectionPool(table.database());
    this.table = table;
    this.spec = spec;
    this.keys = keys;
    this.fetched = fetchedColumns(table, spec);
  }

  /** Returns the columns of a look-up's result, in the driver's types. */
  public static StructType fetchedColumns(DatabaseTable table, SearchKeySpec spec) {
    StructType fetched = new StructType();
    for (SearchKeySpec.Found found : spec.found()) {
      fetched = fetched.add(found.name(), StructType.fromDDL("c " + table.columns().get(found.column()).fetched()).apply(0).dataType(), true);
    }
    return fetched;
  }

  /** A look-up that another thread can cancel. */
  public final class Search {
    private final List<? extends InternalRow> wanted;
    private Connection connection;
    private Statement running;
    private boolean cancelled;

    private Search(List<? extends InternalRow> wanted) {
      this.wanted = wanted;
    }

    /** Returns the rows with one of the keys, in the columns of {@link #fetchedColumns}, with one statement. */
    public List<InternalRow> run() throws SQLException {
      Connection mine = connections.take();
      synchronized (this) {
        connection = mine;
      }
      boolean usable = false;
      try {
        List<InternalRow> found = query(mine);
        usable = true;
        return found;
      } finally {
        synchronized (this) {
          connection = null;
          running = null;
          usable &= !cancelled;
        }
        if (usable) {
          connections.giveBack(mine);
        } else {
          ConnectionPool.drop(mine);
        }
      }
    }

    /**
     * Cancels the look-up and returns immediately: {@link #run} fails soon, whether or not the server answers. A server
     * does not notice that a connection is closed while it executes a statement, so it is asked to end the statement.
     */
    public void cancel() {
      Connection open;
      Statement sent;
      synchronized (this) {
        cancelled = true;
        open = connection;
        sent = running;
      }
      if (open != null) {
        start(() -> end(sent, open));
      }
    }

    private List<InternalRow> query(Connection connection) throws SQLException {
      // Use only a few sizes of statements, so that the server can cache them; duplicate keys find nothing more.
      int places = Math.min(spec.batchSize(), Integer.highestOneBit(Math.max(1, 2 * wanted.size() - 1)));
      try (PreparedStatement statement = connection.prepareStatement(sql(places))) {
        synchronized (this) {
          running = statement;
        }
        int number = 1;
        for (int i = 0; i < places; i++) {
          InternalRow key = wanted.get(Math.min(i, wanted.size() - 1));
          for (int k = 0; k < keys.length(); k++) {
            DatabaseTable.Column column = column(spec.searched(k));
            Database.Field field = new Database.Field(column.field(), column.type(), column.typeName());
            ParameterBinder.set(statement, number++, field, spec.searched(k).sqlType(), value(key, k), table.asText());
          }
        }
        try (ResultSet result = statement.executeQuery()) {
          List<InternalRow> rows = new ArrayList<>();
          Iterator<InternalRow> each = JdbcUtils$.MODULE$.resultSetToSparkInternalRows(result, JdbcDialects.get(table.database().url()), fetched,
              new InputMetrics(), Option.empty());
          while (each.hasNext()) {
            rows.add(each.next().copy());
          }
          return rows;
        }
      }
    }
  }

  private static void end(Statement statement, Connection connection) {
    if (statement != null) {
      Thread asking = start(() -> {
        try {
          statement.cancel();
        } catch (SQLException | RuntimeException e) {
          // It has ended, or the driver cannot cancel statements.
        }
      });
      try {
        asking.join(CANCEL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    ConnectionPool.drop(connection);
  }

  private static Thread start(Runnable work) {
    Thread thread = new Thread(work, "rowtime search_key cancel");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  public Search search(List<? extends InternalRow> wanted) {
    return new Search(wanted);
  }

  /** Closes the connections that have been idle for at least that long. */
  public void closeIdle(long nanos) {
    connections.closeIdle(nanos);
  }

  private String sql(int places) {
    String columns = spec.found().stream().map(found -> column(found).source()).collect(Collectors.joining(", "));
    List<String> fields = IntStream.range(0, spec.keys().size()).mapToObj(key -> column(spec.searched(key)).field()).toList();
    // Not all databases can compare a row with a list of rows.
    String condition = fields.size() == 1 ? fields.get(0) + " IN (" + String.join(", ", Collections.nCopies(places, "?")) + ")"
        : String.join(" OR ", Collections.nCopies(places, fields.stream().map(field -> field + " = ?").collect(Collectors.joining(" AND ", "(", ")"))));
    return "SELECT " + columns + " FROM " + table.table() + " WHERE " + condition;
  }

  private DatabaseTable.Column column(SearchKeySpec.Found found) {
    return table.columns().get(found.column());
  }

  private Object value(InternalRow key, int column) {
    Object value = key.get(column, keys.apply(column).dataType());
    if (value instanceof UTF8String text) {
      return text.toString();
    }
    if (value instanceof Decimal number) {
      return number.toJavaBigDecimal();
    }
    // Spark uses nanoseconds of the day.
    return spec.searched(column).sqlType().equals("TIME") ? (Object) ((Long) value / 1000) : value;
  }
}
