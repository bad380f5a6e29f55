package io.rowtime.log;

import java.net.URI;
import org.apache.hadoop.fs.Path;

/**
 * A data file of a table.
 *
 * @param path where it lies in the table's folder, as the log has it: a relative URI
 * @param size in bytes
 */
record DataFile(String path, long size) {
  Path in(Path folder) {
    return new Path(folder, new Path(URI.create(path)));
  }
}
