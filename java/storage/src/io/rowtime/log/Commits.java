package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.commit.CommitChecksum;
import io.rowtime.commit.CommitState;
import io.rowtime.commit.LogHead;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The commits of a log, and the files that each has added. Versions are consecutive. */
final class Commits {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SUFFIX = ".json";
  private static final int DIGITS = 20;
  private static final long SMALL = 8L << 20;

  private final String name;
  private final Path table;
  private final Path folder;
  private final Path head;
  private final FileSystem files;
  private final boolean local;
  private long listed = -1;
  /** The path of the commit that was looked for last: an idle query looks for the same one again and again. */
  private Path path;
  private long pathVersion = -1;

  /**
   * @param name the name of the stream, for messages
   * @param folder the table's folder; its commits are in {@code _delta_log}
   */
  Commits(String name, Path folder, FileSystem files) {
    this.name = name;
    this.table = folder;
    this.folder = new Path(folder, "_delta_log");
    this.head = new Path(folder, LogHead.NAME);
    this.files = files;
    this.local = "file".equals(files.getUri().getScheme());
  }

  /** Returns the first version, starting with {@code from}, that does not exist yet, at most {@code limit}. */
  long end(long from, long limit) {
    try {
      long version = from;
      while (version < limit && exists(path(version))) {
        version++;
      }
      if (version == from) {
        lookForGap(from);
      }
      return version;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the data files that a commit has added, after checking that each exists as it was written. */
  List<DataFile> addedFiles(long version) {
    List<DataFile> found = new ArrayList<>();
    try {
      byte[] content = content(path(version));
      CommitChecksum.check(table.getName(), version, content);
      String operation = "";
      for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
        JsonNode action = JSON.readTree(line);
        JsonNode info = action.path("commitInfo");
        operation = info.has("rowtime") ? info.path("operation").asText() : operation;
        JsonNode add = action.get("add");
        if (add != null) {
          String checksum = add.path("tags").path(CommitChecksum.FIELD).asText(null);
          found.add(new DataFile(add.required("path").asText(), add.required("size").asLong(), rows(add)));
          check(version, found.get(found.size() - 1), checksum);
        }
      }
      if (found.isEmpty() && operation.equals("WRITE")) {
        throw damaged(version, path(version), "has no add action");
      }
      return found;
    } catch (FileNotFoundException e) {
      throw damaged(version, path(version), "is missing");
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw damaged(version, path(version), "is incomplete");
    } catch (CommitChecksum.Broken e) {
      throw damaged(version, path(version), e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of rows that a commit has added; MAX_VALUE if the commit does not say. */
  long rows(long version) {
    return read(version, content -> {
      long rows = 0;
      for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
        JsonNode add = JSON.readTree(line).get("add");
        long added = add == null ? 0 : rows(add);
        rows = added > Long.MAX_VALUE - rows ? Long.MAX_VALUE : rows + added;
      }
      return rows;
    });
  }

  private static long rows(JsonNode add) throws JsonProcessingException {
    String statistics = add.path("stats").asText("");
    return statistics.isEmpty() ? Long.MAX_VALUE : JSON.readTree(statistics).path("numRecords").asLong(Long.MAX_VALUE);
  }

  /** Returns the bound of the log after a commit, in milliseconds since 1970; null if it has none. */
  Long bound(long version) {
    return read(version, content -> CommitState.of(content).millis("bound"));
  }

  /** What is read from the content of a commit. */
  private interface Reading<T> {
    T of(byte[] content) throws IOException;
  }

  private <T> T read(long version, Reading<T> reading) {
    try {
      return reading.of(content(path(version)));
    } catch (FileNotFoundException e) {
      throw damaged(version, path(version), "is missing");
    } catch (JsonProcessingException e) {
      throw damaged(version, path(version), "is incomplete");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void check(long version, DataFile file, String checksum) throws IOException {
    Path path = file.in(table);
    try {
      long size = files.getFileStatus(path).getLen();
      if (size != file.size()) {
        throw damaged(version, path, String.format("has %,d bytes instead of %,d", size, file.size()));
      }
      // The pages of large files have checksums of their own, which the Parquet reader checks.
      if (checksum != null && size <= SMALL && !CommitChecksum.of(content(path)).equals(checksum)) {
        throw damaged(version, path, "does not match its checksum");
      }
    } catch (FileNotFoundException e) {
      throw damaged(version, path, "is missing");
    }
  }

  private byte[] content(Path path) throws IOException {
    try (InputStream in = files.open(path)) {
      return in.readAllBytes();
    }
  }

  /**
   * Throws if a version is missing although later ones exist, because the query would wait for it forever; or if the
   * versions before it are missing, which the query has read. Looks only if the folder has changed since the last check,
   * and lists it only if its head does not say that the version before it is the newest one.
   */
  private void lookForGap(long version) throws IOException {
    long changed = modified(folder);
    if (changed == listed) {
      return;
    }
    if (head() == version - 1 && exists(path(version - 1))) {
      listed = changed;
      return;
    }
    long newest = -1;
    for (FileStatus file : files.listStatus(folder)) {
      String each = file.getPath().getName();
      if (each.length() == DIGITS + SUFFIX.length() && each.endsWith(SUFFIX)) {
        newest = Math.max(newest, Long.parseLong(each.substring(0, DIGITS)));
      }
    }
    if (newest > version && !exists(path(version))) {
      throw damaged(version, path(version), "is missing");
    }
    // The newest one is never cleaned up.
    if (newest < version - 1 && !exists(path(version - 1))) {
      throw damaged(newest + 1, path(newest + 1), "is missing");
    }
    listed = changed;
  }

  /** Returns the version in the file that names the newest one; -1 if it is missing or being written. */
  private long head() throws IOException {
    try {
      return LogHead.version(content(head));
    } catch (FileNotFoundException e) {
      return -1;
    }
  }

  /**
   * Hadoop's local file system makes an exception with a stack trace if a file does not exist, which took an idle query
   * more time than all else.
   */
  private boolean exists(Path file) throws IOException {
    return local ? file(file).exists() : files.exists(file);
  }

  private long modified(Path file) throws IOException {
    long time = local ? file(file).lastModified() : 0;
    // 0 if there is no such file; the file system says so.
    return time != 0 ? time : files.getFileStatus(file).getModificationTime();
  }

  private static File file(Path path) {
    return new File(path.toUri().getPath());
  }

  private Path path(long version) {
    if (version != pathVersion) {
      String digits = Long.toString(version);
      path = new Path(folder, "0".repeat(DIGITS - digits.length()) + digits + SUFFIX);
      pathVersion = version;
    }
    return path;
  }

  /** The message is that of RT0605; the driver turns it into that diagnostic. */
  private IllegalStateException damaged(long version, Path path, String what) {
    String readable = version > 0 ? "; versions up to " + (version - 1) + " can be read" : "";
    return new IllegalStateException(
        "The log of '" + name + "' is damaged: the file '" + path.toUri().getPath() + "' " + what + readable);
  }
}
