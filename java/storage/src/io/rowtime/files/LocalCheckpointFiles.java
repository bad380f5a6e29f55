package io.rowtime.files;

import io.rowtime.spark.Rethrown;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager;

/**
 * Writes the files of a checkpoint on a local disk, for Spark's setting {@code
 * spark.sql.streaming.checkpointFileManagerClass}.
 *
 * <p>The files are those that Spark's own manager writes, and either manager can continue where the other stopped. For
 * each new file and folder, Hadoop sets the permissions with a separate process ({@code chmod}), which takes longer
 * than writing the file, a dozen times per micro-batch. Here new files have the process's default permissions.
 *
 * <p>A file is durable before it is named, and its name is durable before the stream is closed, because targets rely on
 * it: if a target had a batch whose offsets were lost in a power failure, the batch would be planned again with other
 * rows, and the target would take them for the rows that it has. The names of state files are made durable together
 * with the file of {@code commits} that is written after them. A RocksDB snapshot refers to files that Hadoop has
 * copied into a folder beside it: they are durable before the snapshot is named.
 */
public final class LocalCheckpointFiles extends FileSystemBasedCheckpointFileManager {
  private static final Set<String> OF_STATE = Set.of("delta", "changelog", "snapshot", "zip", "crc");

  private static final String SNAPSHOT = ".zip";
  /** The folder of the tables that snapshots share. */
  private static final String TABLES = "SSTs";

  private final org.apache.hadoop.fs.Path checkpoint;

  /** The constructor that Spark calls. */
  public LocalCheckpointFiles(org.apache.hadoop.fs.Path checkpoint, Configuration configuration) {
    super(checkpoint, configuration);
    this.checkpoint = checkpoint;
  }

  @Override public void mkdirs(org.apache.hadoop.fs.Path folder) {
    try {
      makeDurably(local(folder).toAbsolutePath());
    } catch (IOException e) {
      throw Rethrown.unchanged(e);
    }
  }

  @Override public org.apache.hadoop.fs.Path createCheckpointDirectory() {
    org.apache.hadoop.fs.Path folder = fs().makeQualified(checkpoint);
    mkdirs(folder);
    return folder;
  }

  @Override public CheckpointFileManager.CancellableFSDataOutputStream createAtomic(org.apache.hadoop.fs.Path path, boolean overwrite) {
    Path whole = local(path);
    Path half = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      makeDurably(half.getParent());
      return new TemporaryFile(half, whole, overwrite);
    } catch (IOException e) {
      throw Rethrown.unchanged(e);
    }
  }

  private Path local(org.apache.hadoop.fs.Path path) {
    return Path.of(fs().makeQualified(path).toUri().getPath());
  }

  private static void makeDurably(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      makeDurably(folder.getParent());
      Files.createDirectories(folder);
      force(folder.getParent());
    }
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Forcing a file that is durable already is almost free. */
  private static void forceFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          force(file);
        } catch (NoSuchFileException e) {
          // No snapshot needs this file any more, and Spark has deleted it.
        }
      }
    }
    force(folder);
  }

  /** A file that gets its name when it is complete. */
  private static final class TemporaryFile extends CheckpointFileManager.CancellableFSDataOutputStream {
    private final Path half;
    private final Path whole;
    private final boolean overwrite;
    private final FileChannel channel;
    private boolean ended;

    TemporaryFile(Path half, Path whole, boolean overwrite) throws IOException {
      this(half, whole, overwrite, FileChannel.open(half, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    private TemporaryFile(Path half, Path whole, boolean overwrite, FileChannel channel) {
      super(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16));
      this.channel = channel;
      this.half = half;
      this.whole = whole;
      this.overwrite = overwrite;
    }

    @Override public synchronized void close() throws IOException {
      if (ended) {
        return;
      }
      ended = true;
      try {
        try {
          flush();
          if (whole.getFileName().toString().endsWith(SNAPSHOT)) {
            forceFiles(whole.resolveSibling(TABLES));
          }
          channel.force(true);
        } finally {
          super.close();
        }
        if (overwrite) {
          // Hadoop would go on to check the file against an outdated checksum file.
          Files.deleteIfExists(whole.resolveSibling("." + whole.getFileName() + ".crc"));
          Files.move(half, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
          name();
        }
        String name = whole.getFileName().toString();
        if (!OF_STATE.contains(name.substring(name.lastIndexOf('.') + 1))) {
          force(half.getParent());
        }
      } finally {
        Files.deleteIfExists(half);
      }
    }

    /** Creates a link, which unlike a rename fails if another process has created the file in the meantime. */
    private void name() throws IOException {
      try {
        Files.createLink(whole, half);
      } catch (UnsupportedOperationException | FileSystemException e) {
        if (Files.exists(whole)) {
          throw new FileAlreadyExistsException("The file exists already: " + whole);
        }
        // The disk does not support links.
        Files.move(half, whole);
      }
    }

    @Override public synchronized void cancel() {
      if (ended) {
        return;
      }
      ended = true;
      try {
        super.close();
      } catch (IOException e) {
        // The stream was cancelled.
      }
      try {
        Files.deleteIfExists(half);
      } catch (IOException e) {
        // Readers ignore the file, because its name starts with a dot.
      }
    }
  }
}
