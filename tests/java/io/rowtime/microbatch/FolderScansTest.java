package io.rowtime.microbatch;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.FileStreamSource;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/** Scans of one folder in a query find the same files, whatever comes between the questions for their offsets. */
public class FolderScansTest {
  private static SparkSession spark;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Path folder;
  private int files;

  @BeforeClass public static void start() {
    spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
  }

  @AfterClass public static void stop() {
    spark.stop();
  }

  @Before public void makeFolder() throws IOException {
    folder = temporary.newFolder("rows").toPath();
  }

  @Test public void aFileBetweenTwoQuestionsIsReadByNeither() throws IOException {
    FileStreamSource first = scan("1", Map.of());
    FileStreamSource second = scan("2", Map.of());
    List<List<FileStreamSource>> shared = FolderScans.shared(List.of(first, second));
    assertEquals(List.of(List.of(first, second)), shared);
    write();
    FolderScans.list(shared.get(0));
    assertEquals(1, found(first));
    write();
    assertEquals(1, found(second));
    // The next micro-batch has it, whichever is asked first.
    FolderScans.list(shared.get(0));
    write();
    assertEquals(2, found(second));
    assertEquals(2, found(first));
    FolderScans.list(shared.get(0));
    assertEquals(3, found(first));
    assertEquals(3, found(second));
  }

  @Test public void scansOfOtherFilesAreAsBefore() {
    FileStreamSource some = scan("1", Map.of("pathGlobFilter", "*.json"));
    assertEquals(List.of(), FolderScans.shared(List.of(some, scan("2", Map.of()))));
  }

  private void write() throws IOException {
    files++;
    Files.writeString(folder.resolve(files + ".json"), "{\"a\":1}\n");
  }

  /** Returns the number of files that have been found so far. */
  private long found(FileStreamSource source) {
    source.latestOffset(null, source.getDefaultReadLimit());
    return source.seenFiles().size();
  }

  private FileStreamSource scan(String name, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("path", folder.toString());
    return new FileStreamSource(spark, folder.toString(), "json", new StructType().add("a", DataTypes.IntegerType),
        CollectionConverters.asScala(List.<String>of()).toSeq(), temporary.getRoot().toPath().resolve("checkpoint" + name).toString(),
        Map$.MODULE$.from(CollectionConverters.asScala(options)));
  }
}
