package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.commit.CommitChecksum;
import io.rowtime.commit.CommitState;
import io.rowtime.commit.LogHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The data that rowtime writes for a version of a log besides Delta's own: a checksum of the commit, the state of the
 * log after it, and the newest version in the file {@code _head}.
 */
final class LogCommit {
  private final CommitState state;

  private LogCommit(CommitState state) {
    this.state = state;
  }

  /** Throws RT0605 if the newest commit is lost: otherwise the log would look like an earlier version. */
  static void checkHead(CatalogObject object, Path folder) {
    long head;
    try {
      head = LogHead.version(Files.readAllBytes(folder.resolve(LogHead.NAME)));
    } catch (IOException e) {
      // The file is written after the commit, and not durably.
      return;
    }
    Path lost = file(folder, head);
    // Clean-up removes old commits, and the head may be behind.
    if (head >= 0 && !Files.exists(lost) && commits(folder).noneMatch(name -> name.compareTo(lost.getFileName().toString()) > 0)) {
      throw WarehouseException.damaged(object.name(), "the file '" + lost + "' is missing", null);
    }
  }

  /** Reads the commit of a version. Throws RT0605 if it is incomplete. */
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

  /** Returns the bound of the stream, in milliseconds since 1970; null before its first row. */
  Long bound() {
    return state.millis("bound");
  }

  /** Returns the ROWTIME of the first row ever, in milliseconds; null before it. */
  Long first() {
    return state.millis("first");
  }

  /** Returns the ROWTIME from which on no row has been removed, in milliseconds; null if none has been. */
  Long removedUntil() {
    return state.millis("removed_until");
  }

  private static Stream<String> commits(Path folder) {
    String[] names = folder.resolve("_delta_log").toFile().list((log, name) -> name.matches("\\d{20}\\.json"));
    return names == null ? Stream.empty() : Stream.of(names);
  }

  private static Path file(Path folder, long version) {
    return folder.resolve("_delta_log").resolve(String.format("%020d.json", version));
  }
}
