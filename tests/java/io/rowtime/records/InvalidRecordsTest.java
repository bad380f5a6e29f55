package io.rowtime.records;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class InvalidRecordsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private InvalidRecords in(File aside) {
    return new InvalidRecords(aside.toURI().toString(), "file:/in/a.csv", 0, true);
  }

  @Test public void aLineForEach() throws IOException {
    InvalidRecords bad = in(folder.getRoot());
    bad.add("1,\"x\"", "broken CSV", -1);
    bad.add("é", "A: NULL", 17);
    bad.save();
    String[] names = folder.getRoot().list();
    assertEquals(1, names.length);
    assertTrue(names[0], names[0].matches("0-piece-[0-9a-f-]{36}-2\\.jsonl"));
    assertEquals(List.of(
        "{\"reason\":\"broken CSV\",\"record\":\"1,\\\"x\\\"\",\"file\":\"file:/in/a.csv\"}",
        "{\"reason\":\"A: NULL\",\"record\":\"é\",\"file\":\"file:/in/a.csv\",\"offset\":17}"),
        Files.readAllLines(new File(folder.getRoot(), names[0]).toPath()));
  }

  @Test public void noFileForNone() {
    in(folder.getRoot()).save();
    assertArrayEquals(new String[0], folder.getRoot().list());
  }

  @Test public void aFolderThatCannotBe() throws IOException {
    File inTheWay = folder.newFile();
    InvalidRecords bad = in(inTheWay);
    bad.add("x", "y", -1);
    UncheckedIOException refused = assertThrows(UncheckedIOException.class, bad::save);
    assertEquals("Invalid records could not be written to " + inTheWay.toURI(), refused.getMessage());
  }
}
