package io.rowtime.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an adapter is opened with.
 *
 * @param options the options of the object but {@code connector} and {@code class}, by their names in lower case; the value
 *     that {@code <option>_env} or {@code <option>_file} names is that of {@code <option>}
 * @param columns the columns of the object, in their order
 * @param folder a folder of the object for data that must survive restarts; it need not exist yet, and is deleted when the
 *     object is dropped
 * @param name who reads or writes: the same after a restart, and different for each query and pump. Empty for a foreign
 *     table that is read, and for an INSERT
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
   * The value of an option that must be given.
   *
   * @throws IllegalArgumentException if it is not
   */
  public String option(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it needs the option " + name);
    }
    return value;
  }
}
