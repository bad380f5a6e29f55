package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.log.CommitChecksum;
import io.rowtime.log.CommitState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What rowtime has written about a version of a log beside what Delta knows of it: a checksum of the commit, the state of
 * the log after it, and in the file {@code _head} which version is the newest.
 */
final class LogCommit {
  private static final String HEAD = "_head";

  private final CommitState state;

  private LogCommit(CommitState state) {
    this.state = state;
  }

  /** Throws RT0605 if the newest commit is lost: without it, the log would look like an earlier version. */
  static void checkHead(CatalogObject object, Path folder) {
    long head;
    try {
      String[] parts = Files.readString(folder.resolve(HEAD), StandardCharsets.UTF_8).trim().split(" ");
      boolean isWhole = parts.length == 2 && CommitChecksum.of(parts[0].getBytes(StandardCharsets.UTF_8)).equals(parts[1]);
      head = isWhole ? Long.parseLong(parts[0]) : -1;
    } catch (IOException | NumberFormatException e) {
      // It is written after the commit, and not durably.
      return;
    }
    Path lost = file(folder, head);
    // Clean-up takes old commits away, and the head may be behind.
    if (head >= 0 && !Files.exists(lost) && commits(folder).noneMatch(name -> name.compareTo(lost.getFileName().toString()) > 0)) {
      throw WarehouseException.damaged(object.name(), "the file '" + lost + "' is missing", null);
    }
  }

  /** What the commit of a version says. Throws RT0605 if it is not whole. */
  static LogCommit read(CatalogObject object, Path folder, long version) {
    Path file = file(folder, version);
    try {
      byte[] content = Files.readAllBytes(file);
      CommitChecksum.check(folder.getFileName().toString(), version, content);
      return new LogCommit(CommitState.of(content));
    } catch (CommitChecksum.Broken e) {
      throw WarehouseException.damaged(object.name(), "the file '" + file + "' " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw WarehouseException.damaged(object.name(), "the file '" + file + "' is missing", e);
    } catch (IOException e) {
      throw WarehouseException.damaged(object.name(), "the file '" + file + "' cannot be read", e);
    }
  }

  /** The bound of the stream, in milliseconds since 1970; null before its first row has entered. */
  Long bound() {
    return state.millis("bound");
  }

  /** The ROWTIME of the first row that ever entered, in milliseconds; null before. */
  Long first() {
    return state.millis("first");
  }

  private static Stream<String> commits(Path folder) {
    String[] names = folder.resolve("_delta_log").toFile().list((log, name) -> name.matches("\\d{20}\\.json"));
    return names == null ? Stream.empty() : Stream.of(names);
  }

  private static Path file(Path folder, long version) {
    return folder.resolve("_delta_log").resolve(String.format("%020d.json", version));
  }
}
