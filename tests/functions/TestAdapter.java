package examples;

import io.rowtime.api.AdapterContext;
import io.rowtime.api.InputRow;
import io.rowtime.api.SourceAdapter;
import io.rowtime.api.StreamElement;
import io.rowtime.api.TargetAdapter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * An adapter with rows of every type, rows that do not fit, and failing methods, as the option {@code does} specifies;
 * as a target it records calls.
 */
public final class TestAdapter implements SourceAdapter, TargetAdapter {
  private AdapterContext context;
  private String does;

  @Override public void open(AdapterContext opened) {
    context = opened;
    does = opened.options().getOrDefault("does", "");
    fail("open");
  }

  @Override public String initialPosition(boolean earliest) {
    fail("initial");
    return does.equals("no position") ? null : "a \"quoted\" position";
  }

  @Override public String latestPosition(String from) {
    fail("latest");
    return "end";
  }

  @Override public Iterator<StreamElement> read(String from, String to) {
    fail("read");
    Instant at = Instant.parse("2024-05-01T10:11:12.345678Z");
    return switch (does) {
      case "types" -> List.of(
          StreamElement.row(1, 2L, 3, (byte) 4, 1.5, 2.5f, new BigDecimal("1.005"), "ab", "abc  ", new byte[] {1}, true,
              LocalDate.of(2024, 5, 1), LocalTime.of(10, 11, 12), at,
              Arrays.asList(1, null), Map.of("k", 1), Arrays.asList(7, "z")),
          StreamElement.bound(at),
          StreamElement.row(new Object[17])).iterator();
      case "nothing" -> Arrays.<StreamElement>asList((StreamElement) null).iterator();
      case "token" -> List.of(StreamElement.row(context.option("token").length())).iterator();
      case "few" -> List.of(StreamElement.row()).iterator();
      case "text" -> List.of(StreamElement.row("x")).iterator();
      case "large" -> List.of(StreamElement.row(1L << 40)).iterator();
      case "overflow" -> List.of(StreamElement.row(deep(1))).iterator();
      case "late" -> List.of(1).stream().map(n -> StreamElement.row(Integer.parseInt("late failure"))).iterator();
      case "long" -> List.of(StreamElement.row("abc")).iterator();
      case "long within" -> List.of(StreamElement.row(List.of("abc"))).iterator();
      case "parts" -> List.of(
          StreamElement.row(Arrays.asList("ab  ", null), Map.of("k", new byte[] {1}), Arrays.asList(at, Arrays.asList("x"))),
          StreamElement.row(new Object[3])).iterator();
      default -> throw new AssertionError("unknown: " + does);
    };
  }

  @Override public void write(Iterator<InputRow> rows, OptionalLong batch) throws IOException {
    fail("write");
    StringBuilder text = new StringBuilder();
    while (rows.hasNext()) {
      InputRow row = rows.next();
      text.append(batch.isPresent() ? context.name().orElse("") : "insert");
      for (String column : row.columns()) {
        text.append('|').append(shown(row.get(column)));
      }
      text.append('\n');
    }
    append(text.toString());
  }

  @Override public void bound(Instant time) throws IOException {
    append("bound|" + time + "\n");
  }

  private void append(String text) throws IOException {
    Files.writeString(Path.of(context.option("file")), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String shown(Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  private static int deep(int level) {
    return deep(level + 1) + 1;
  }

  private void fail(String method) {
    if (does.equals("fail in " + method)) {
      throw new IllegalStateException("broken\n  in " + method + " with " + context.options().get("token"));
    }
  }
}
