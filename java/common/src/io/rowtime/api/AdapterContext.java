package io.rowtime.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings with which an adapter is opened.
 *
 * @param options the options of the object, except {@code connector} and {@code class}, by name in lower case; the
 *     value to which {@code <option>_env} or {@code <option>_file} refers is that of {@code <option>}
 * @param columns the columns of the object, in order
 * @param folder a folder of the object for data that must survive restarts; it may not exist yet, and is deleted when
 *     the object is dropped
 * @param name identifies the reader or writer: the same after a restart, and different for each query and pump. Empty
 *     for reading a foreign table, and for an INSERT
 */
public record AdapterContext(Map<String, String> options, List<Column> columns, Path folder, Optional<String> name) {
  /**
   * A column.
   *
   * @param name its name; ROWTIME is the first column of a stream
   * @param type its SQL type, such as {@code DECIMAL(10, 2)}
   */
  public record Column(String name, String type, boolean nullable) {}

  /**
   * Returns the value of a required option.
   *
   * @throws IllegalArgumentException if the option is missing
   */
  public String option(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it needs the option " + name);
    }
    return value;
  }
}
