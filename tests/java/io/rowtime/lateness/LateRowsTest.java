package io.rowtime.lateness;

import static org.junit.Assert.assertEquals;

import io.rowtime.files.SideFiles;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LateRowsTest {
  @Rule public final TemporaryFolder home = new TemporaryFolder();

  @Test public void rowsOfABatchThatRunsAgainAreThereOnce() {
    save(2, "first", 0, "n", 20);
    save(3, "first", 0, "n", 30);
    save(3, "first", 0, "other", 31);
    save(30, "first", 0, "n", 300);
    // Its first run has failed at a row of another task, and its second one has other partitions.
    save(3, "first", 2, "n", 32);
    save(3, "second", 1, "n", 30, 32);
    assertEquals(List.of("2-n-first-0-1.jsonl", "3-n-second-1-2.jsonl", "3-other-first-0-1.jsonl", "30-n-first-0-1.jsonl"), names());
    // Each further task of the run adds a file.
    save(3, "second", 0, "n", 33);
    assertEquals(List.of("2-n-first-0-1.jsonl", "3-n-second-0-1.jsonl", "3-n-second-1-2.jsonl", "3-other-first-0-1.jsonl",
        "30-n-first-0-1.jsonl"), names());
    assertEquals("{\"reason\":\"late\",\"row\":{\"N\":\"33\"}}\n", files().read("3-n-second-0-1.jsonl"));
  }

  private SideFiles files() {
    return new SideFiles(home.getRoot().toURI().toString());
  }

  private List<String> names() {
    return files().names().stream().sorted().toList();
  }

  private void save(long batch, String run, int partition, String node, int... values) {
    LateRows rows = new LateRows(new StructType().add("N", DataTypes.IntegerType));
    for (int value : values) {
      rows.add(new GenericInternalRow(new Object[] {value}), "late");
    }
    rows.save(home.getRoot().toURI().toString(), node, new TaskId(batch, partition, run));
  }
}
