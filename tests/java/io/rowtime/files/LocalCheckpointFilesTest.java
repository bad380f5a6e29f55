package io.rowtime.files;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LocalCheckpointFilesTest {
  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path folder;
  private LocalCheckpointFiles files;

  @Before public void open() {
    folder = temporary.getRoot().toPath();
    files = new LocalCheckpointFiles(path("."), new Configuration());
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }

  private static void write(CheckpointFileManager to, org.apache.hadoop.fs.Path path, String text, boolean overwrite) throws IOException {
    try (FSDataOutputStream out = to.createAtomic(path, overwrite)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String read(CheckpointFileManager from, org.apache.hadoop.fs.Path path) throws IOException {
    try (FSDataInputStream in = from.open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test public void aFileIsThereOnceItIsComplete() throws IOException {
    FSDataOutputStream out = files.createAtomic(path("deep/offsets/0"), false);
    out.writeLong(7);
    out.flush();
    assertFalse(files.exists(path("deep/offsets/0")));
    out.close();
    out.close();
    try (FSDataInputStream in = files.open(path("deep/offsets/0"))) {
      assertEquals(7, in.readLong());
    }
    assertEquals(1, files.list(path("deep/offsets")).length);
  }

  @Test public void oneThatIsThereStaysUnlessItIsToBeOverwritten() throws IOException {
    write(files, path("0"), "first", false);
    assertThrows(FileAlreadyExistsException.class, () -> write(files, path("0"), "second", false));
    assertEquals("first", read(files, path("0")));
    assertEquals(List.of("0"), names());
    write(files, path("0"), "third", true);
    assertEquals("third", read(files, path("0")));
    assertEquals(List.of("0"), names());
  }

  @Test public void ofTwoWritersOneWins() throws IOException {
    FSDataOutputStream one = files.createAtomic(path("0"), false);
    FSDataOutputStream other = files.createAtomic(path("0"), false);
    one.write('1');
    other.write('2');
    other.close();
    assertThrows(FileAlreadyExistsException.class, one::close);
    assertEquals("2", read(files, path("0")));
    assertEquals(List.of("0"), names());
  }

  @Test public void oneThatIsCancelledLeavesNothing() throws IOException {
    CheckpointFileManager.CancellableFSDataOutputStream out = files.createAtomic(path("0"), true);
    out.write('x');
    out.cancel();
    out.close();
    assertEquals(List.of(), names());
    assertThrows(FileNotFoundException.class, () -> files.open(path("0")));
  }

  @Test public void sparksOwnManagerAndThisOneGoOnWithEachOthersFiles() throws IOException {
    CheckpointFileManager sparks = new FileSystemBasedCheckpointFileManager(path("."), new Configuration());
    write(sparks, path("0"), "by Spark", false);
    assertEquals("by Spark", read(files, path("0")));
    // Hadoop keeps a checksum beside its files, which does not match the new file.
    write(files, path("0"), "by rowtime", true);
    assertEquals("by rowtime", read(files, path("0")));
    assertEquals("by rowtime", read(sparks, path("0")));
    write(sparks, path("1"), "by Spark again", true);
    assertEquals("by Spark again", read(files, path("1")));
  }

  @Test public void foldersAreMadeWithWhatIsAboveThem() {
    files.mkdirs(path("state/0/1"));
    files.mkdirs(path("state/0/1"));
    assertTrue(Files.isDirectory(folder.resolve("state/0/1")));
    assertEquals(path(".").toUri().getPath(), files.createCheckpointDirectory().toUri().getPath());
    files.delete(path("state"));
    files.delete(path("state"));
    assertFalse(files.exists(path("state")));
  }
}
