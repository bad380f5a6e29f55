package io.rowtime.log;

import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * A data file of a table.
 *
 * @param path the path in the table's folder, as in the log: a relative URI
 * @param size the size in bytes
 * @param rows the number of rows; MAX_VALUE if it is unknown
 */
record DataFile(String path, long size, long rows) {
  Path in(Path folder) {
    return new Path(folder, new Path(URI.create(path)));
  }
}
