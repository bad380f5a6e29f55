package adapters;

import io.rowtime.api.AdapterContext;
import io.rowtime.api.InputRow;
import io.rowtime.api.TargetAdapter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A target: a folder with a text file for each micro-batch, and a file with the bound. Files are written atomically,
 * and a batch that is repeated after a crash replaces its own file, so every row is in the folder exactly once.
 * <pre>
 * CREATE FOREIGN STREAM averages (room VARCHAR(20), celsius DOUBLE)
 *     OPTIONS (connector 'java', class 'adapters.BatchFiles', folder '/data/averages');
 * </pre>
 */
public final class BatchFiles implements TargetAdapter {
  private Path folder;
  private String writer;

  @Override public void open(AdapterContext context) throws IOException {
    folder = Files.createDirectories(Path.of(context.option("folder")));
    writer = context.name().orElse("insert");
  }

  @Override public void write(Iterator<InputRow> rows, OptionalLong batch) throws IOException {
    if (!rows.hasNext()) {
      return;
    }
    String number = batch.isPresent() ? Long.toString(batch.getAsLong()) : UUID.randomUUID().toString();
    Path draft = Files.createTempFile(folder, ".", ".tmp");
    try (BufferedWriter out = Files.newBufferedWriter(draft)) {
      while (rows.hasNext()) {
        InputRow row = rows.next();
        StringJoiner line = new StringJoiner(",", "", "\n");
        for (String column : row.columns()) {
          line.add(String.valueOf(row.get(column)));
        }
        out.write(line.toString());
      }
    }
    Files.move(draft, folder.resolve(writer + "-" + number + ".rows"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override public OptionalLong lastBatch() throws IOException {
    String prefix = writer + "-";
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix) && name.endsWith(".rows"))
          .mapToLong(name -> Long.parseLong(name.substring(prefix.length(), name.length() - ".rows".length())))
          .max();
    }
  }

  @Override public void bound(Instant time) throws IOException {
    Path draft = Files.createTempFile(folder, ".", ".tmp");
    Files.writeString(draft, time + "\n");
    Files.move(draft, folder.resolve(writer + ".bound"), StandardCopyOption.ATOMIC_MOVE);
  }
}
