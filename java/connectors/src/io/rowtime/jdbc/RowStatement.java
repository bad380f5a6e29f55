package io.rowtime.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.apache.spark.sql.Row;

/** A statement that is executed once for each row, whose values are its parameters. It sends rows in batches. */
final class RowStatement implements AutoCloseable {
  private static final int BATCH_SIZE = 1000;

  private final PreparedStatement statement;
  private final List<Parameter> parameters;
  private final boolean asText;
  private int waiting;

  /**
   * A parameter.
   *
   * @param place the place of its value in a row
   * @param type the SQL type of the value, without its precision
   * @param isKey whether the row is found by this column
   */
  record Parameter(int place, Database.Field field, String type, boolean isKey) {}

  RowStatement(Connection connection, String sql, List<Parameter> parameters, boolean asText) throws SQLException {
    this.statement = connection.prepareStatement(sql);
    this.parameters = parameters;
    this.asText = asText;
  }

  /** Adds a row. Throws MissingKey if a column of the key has no value that a database finds again: it is NULL or NaN. */
  void add(Row row) throws SQLException {
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      Object value = row.isNullAt(parameter.place) ? null : row.get(parameter.place);
      if (parameter.isKey && (value == null || value instanceof Number number && Double.isNaN(number.doubleValue()))) {
        throw new MissingKey(parameter.field.name());
      }
      ParameterBinder.set(statement, i + 1, parameter.field, parameter.type, value, asText);
    }
    statement.addBatch();
    if (++waiting == BATCH_SIZE) {
      execute();
    }
  }

  /** Sends the rows that wait. */
  void execute() throws SQLException {
    if (waiting > 0) {
      statement.executeBatch();
      waiting = 0;
    }
  }

  @Override public void close() throws SQLException {
    statement.close();
  }
}
