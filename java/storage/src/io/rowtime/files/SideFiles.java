package io.rowtime.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Small text files in one folder, each of which is written atomically. */
public final class SideFiles {
  private static final String TEMPORARY = ".tmp";

  private final URI folder;

  /** @param folder the folder as a URI; it may not exist yet */
  public SideFiles(String folder) {
    this.folder = URI.create(folder);
  }

  /** Returns the names of all files. */
  public List<String> names() {
    List<String> found = new ArrayList<>();
    try {
      if (isLocal()) {
        try (Stream<java.nio.file.Path> files = Files.list(java.nio.file.Path.of(folder))) {
          files.forEach(file -> found.add(file.getFileName().toString()));
        }
      } else {
        for (FileStatus file : files().listStatus(new Path(folder))) {
          found.add(file.getPath().getName());
        }
      }
    } catch (NoSuchFileException | FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.removeIf(name -> name.endsWith(TEMPORARY) || name.startsWith("."));
    return found;
  }

  public String read(String name) {
    try {
      if (isLocal()) {
        return Files.readString(java.nio.file.Path.of(folder).resolve(name));
      }
      try (InputStream in = files().open(new Path(new Path(folder), name))) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file, replacing any file of the same name. */
  public void write(String name, byte[] content) {
    String half = UUID.randomUUID() + TEMPORARY;
    try {
      if (isLocal()) {
        // For each local file, Hadoop would start a process to set its permissions.
        java.nio.file.Path home = java.nio.file.Path.of(folder);
        Files.createDirectories(home);
        // The file must be durable before the batch is: later batches depend on it. Its name becomes durable at the
        // latest with the file of commits that ends the batch: file systems of Linux write names in order.
        Files.write(home.resolve(half), content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        Files.move(home.resolve(half), home.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        return;
      }
      FileSystem files = files();
      Path target = new Path(new Path(folder), name);
      Path draft = new Path(new Path(folder), half);
      files.mkdirs(target.getParent());
      try (OutputStream out = files.create(draft, true)) {
        out.write(content);
      }
      if (!files.rename(draft, target)) {
        // If a rename does not replace files, the existing file has the same content.
        files.delete(draft, false);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void delete(String name) {
    try {
      if (isLocal()) {
        Files.deleteIfExists(java.nio.file.Path.of(folder).resolve(name));
      } else {
        files().delete(new Path(new Path(folder), name), false);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isLocal() {
    return "file".equals(folder.getScheme());
  }

  private FileSystem files() throws IOException {
    return new Path(folder).getFileSystem(SparkHadoopUtil.get().conf());
  }
}
