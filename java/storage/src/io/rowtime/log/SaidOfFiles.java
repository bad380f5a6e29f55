package io.rowtime.log;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.unsafe.types.UTF8String;

/** What is said of data files. A task reads it for those files that it reads, whose rows follow one another. */
abstract class SaidOfFiles<T> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Map<String, String> said;

  private transient Map<UTF8String, T> read;
  private transient UTF8String file;
  private transient T value;

  /** @param said by the name of the data file */
  SaidOfFiles(Map<String, String> said) {
    this.said = said;
  }

  /** Reads what is said of a file; null if nothing is. */
  abstract T read(String text);

  /** Returns what is said of the file of this name. */
  final T of(UTF8String name) {
    if (!name.equals(file)) {
      if (read == null) {
        read = new HashMap<>();
      }
      // Spark reuses the memory of the text.
      file = name.copy();
      value = read.computeIfAbsent(file, one -> read(said.get(one.toString())));
    }
    return value;
  }

  /** Reads the parts of a text, with {@code |} between them. */
  static <P> List<P> parts(String text, Function<String, P> part) {
    List<P> found = new ArrayList<>();
    for (String each : text.split("\\|")) {
      found.add(part.apply(each));
    }
    return found;
  }
}
