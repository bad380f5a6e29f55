package io.rowtime.jdbc;

import io.rowtime.spark.RecordedBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.jdbc.JdbcDialect;
import org.apache.spark.sql.jdbc.JdbcDialects;

/**
 * Writes the rows of an INSERT, or of a micro-batch, to a table in one transaction, each batch of a writer exactly
 * once.
 *
 * <p>The number of the writer's last batch is in another table, written in the same transaction: either both are
 * written, or neither. What that batch was made of is in a second row of that table, as if it were the batch of another
 * writer: tables of earlier builds need no other columns.
 */
public final class TableWriter {
  /** What is appended to the name of a writer for the content of its last batch. */
  private static final String CONTENT = "#content";

  private TableWriter() {}

  /**
   * Appends rows, or, if the table has a key, replaces and deletes rows by it.
   *
   * @param rows TIMESTAMP as microseconds since 1970, DATE as days since 1970, TIME as microseconds of the day; with a key,
   *     at most one row for each
   * @param batches the table for the writers' last batches; created if necessary
   * @param writer the name of the writer, or null if the rows are not a micro-batch
   * @param batch the number of the batch
   * @param content what the batch is made of; -1 if unknown
   * @return the number of rows written or deleted, or an answer of {@link RecordedBatch}
   */
  public static long write(Dataset<Row> rows, Database database, TargetTable table, String batches, String writer, long batch,
      long content) throws SQLException {
    try (Connection connection = database.connect()) {
      if (writer != null) {
        prepare(connection, batches);
      }
      Map<String, Database.Field> there = Database.fields(connection, table.name()).stream()
          .collect(Collectors.toMap(Database.Field::name, field -> field, (one, other) -> one));
      if (connection.getMetaData().supportsTransactions()) {
        connection.setAutoCommit(false);
      }
      try {
        if (writer != null && !advance(connection, batches, writer, batch)) {
          long answer = recorded(connection, batches, writer).answer(batch, content);
          abort(connection);
          return answer;
        }
        if (writer != null) {
          put(connection, batches, writer + CONTENT, content);
        }
        long count = write(rows, connection, table, there, JdbcDialects.get(database.url()));
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
        return count;
      } catch (SQLException | RuntimeException e) {
        abort(connection);
        throw e;
      }
    }
  }

  /** Creates the table of batches if necessary, in a transaction of its own. */
  private static void prepare(Connection connection, String batches) throws SQLException {
    try {
      Database.fields(connection, batches);
    } catch (SQLException missing) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE IF NOT EXISTS " + batches
            + " (writer VARCHAR(200) NOT NULL PRIMARY KEY, batch BIGINT NOT NULL)");
      }
    }
  }

  /**
   * Returns the last batch of a writer and its content, -1 if unknown; null if the table of batches records none, or does
   * not exist.
   */
  public static long[] lastBatch(Database database, String batches, String writer) throws SQLException {
    try (Connection connection = database.connect()) {
      try {
        Database.fields(connection, batches);
      } catch (SQLException missing) {
        return null;
      }
      RecordedBatch found = recorded(connection, batches, writer);
      return found == null ? null : new long[] {found.number(), found.content()};
    }
  }

  /** Returns whether a table has rows. */
  public static boolean hasRows(Database database, String table) throws SQLException {
    try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
      statement.setMaxRows(1);
      try (ResultSet found = statement.executeQuery("SELECT 1 FROM " + table)) {
        return found.next();
      }
    }
  }

  /** Records that the batch is written; returns false if this batch or a later one was written before. */
  private static boolean advance(Connection connection, String batches, String writer, long batch) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE " + batches + " SET batch = ? WHERE writer = ? AND batch < ?")) {
      update.setLong(1, batch);
      update.setString(2, writer);
      update.setLong(3, batch);
      if (update.executeUpdate() == 1) {
        return true;
      }
    }
    if (find(connection, batches, writer) != null) {
      return false;
    }
    insert(connection, batches, writer, batch);
    return true;
  }

  private static void put(Connection connection, String batches, String name, long value) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement("UPDATE " + batches + " SET batch = ? WHERE writer = ?")) {
      update.setLong(1, value);
      update.setString(2, name);
      if (update.executeUpdate() == 0 && value != RecordedBatch.UNKNOWN) {
        insert(connection, batches, name, value);
      }
    }
  }

  private static void insert(Connection connection, String batches, String name, long value) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + batches + " (writer, batch) VALUES (?, ?)")) {
      insert.setString(1, name);
      insert.setLong(2, value);
      insert.executeUpdate();
    }
  }

  private static RecordedBatch recorded(Connection connection, String batches, String writer) throws SQLException {
    Long number = find(connection, batches, writer);
    if (number == null) {
      return null;
    }
    Long content = find(connection, batches, writer + CONTENT);
    return new RecordedBatch(number, content == null ? RecordedBatch.UNKNOWN : content);
  }

  private static Long find(Connection connection, String batches, String name) throws SQLException {
    try (PreparedStatement find = connection.prepareStatement("SELECT batch FROM " + batches + " WHERE writer = ?")) {
      find.setString(1, name);
      try (ResultSet found = find.executeQuery()) {
        return found.next() ? (Long) found.getLong(1) : null;
      }
    }
  }

  private static long write(Dataset<Row> rows, Connection connection, TargetTable table, Map<String, Database.Field> fields,
      JdbcDialect dialect) throws SQLException {
    List<RowStatement.Parameter> values = IntStream.range(0, table.columns().size()).mapToObj(place -> {
      String column = table.columns().get(place);
      return new RowStatement.Parameter(place, fields.get(column), table.types().get(place), table.key().contains(column));
    }).toList();
    Iterator<Row> each = rows.toLocalIterator();
    return table.replaces() ? change(each, connection, table, values, dialect) : append(each, connection, table, values, dialect);
  }

  private static long append(Iterator<Row> rows, Connection connection, TargetTable table, List<RowStatement.Parameter> values,
      JdbcDialect dialect) throws SQLException {
    long count = 0;
    try (RowStatement insert = new RowStatement(connection, table.insert(dialect), values, table.asText())) {
      for (; rows.hasNext(); count++) {
        insert.add(rows.next());
      }
      insert.execute();
    }
    return count;
  }

  /** A key is either deleted or replaced, so the order of both does not matter. */
  private static long change(Iterator<Row> rows, Connection connection, TargetTable table, List<RowStatement.Parameter> values,
      JdbcDialect dialect) throws SQLException {
    List<RowStatement.Parameter> key = table.key().stream().map(column -> values.get(table.columns().indexOf(column))).toList();
    long count = 0;
    try (RowStatement upsert = new RowStatement(connection, table.upsert(dialect), values, table.asText());
        RowStatement delete = new RowStatement(connection, table.delete(dialect), key, table.asText())) {
      for (; rows.hasNext(); count++) {
        Row row = rows.next();
        boolean isDeleted = ((Number) row.get(values.size())).intValue() == TargetTable.DELETED;
        (isDeleted ? delete : upsert).add(row);
      }
      delete.execute();
      upsert.execute();
    }
    return count;
  }

  private static void abort(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // The connection is closed next, which has the same effect; the first error is the one to report.
    }
  }
}
