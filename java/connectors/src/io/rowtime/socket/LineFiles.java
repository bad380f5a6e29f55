package io.rowtime.socket;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.files.JsonLines;
import io.rowtime.files.SideFiles;
import io.rowtime.limits.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** Stores the lines of batches that may be requested again: one file per batch, named by its first line and its end. */
final class LineFiles {
  /** A line in hex can be longer than Jackson's default limit. */
  private static final ObjectMapper JSON = new ObjectMapper(new JsonFactoryBuilder()
      .streamReadConstraints(StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build()).build());
  private static final String ENDING = ".lines";

  private final SideFiles files;

  private record Piece(long start, long end, String name) {}

  LineFiles(String folder) {
    this.files = new SideFiles(folder);
  }

  void write(long start, List<Line> lines) {
    JsonLines text = new JsonLines();
    for (Line line : lines) {
      text.add(json -> {
        json.writeNumberField("at", line.arrived());
        if (Texts.firstNoUtf8(line.bytes()) < 0) {
          json.writeStringField("line", new String(line.bytes(), StandardCharsets.UTF_8));
        } else {
          json.writeStringField("hex", HexFormat.of().formatHex(line.bytes()));
        }
        if (line.trouble() != null) {
          json.writeStringField("trouble", line.trouble());
        }
      });
    }
    files.write(start + "-" + (start + lines.size()) + ENDING, text.toBytes());
  }

  /** Returns the end of the file that starts with that line; {@code start} if there is none. */
  long end(long start) {
    return pieces().stream().filter(piece -> piece.start == start).mapToLong(Piece::end).max().orElse(start);
  }

  /** Returns the lines in a range. Throws IllegalStateException if they do not exist. */
  List<Line> read(long start, long end) {
    List<Line> found = new ArrayList<>();
    for (Piece piece : pieces()) {
      if (piece.start >= start && piece.end <= end && piece.start == start + found.size()) {
        for (String text : files.read(piece.name).split("\n")) {
          found.add(line(text));
        }
      }
    }
    if (found.size() != end - start) {
      throw new IllegalStateException("The lines " + start + " to " + end + " of the socket are no longer there");
    }
    return found;
  }

  /** Deletes the files of lines before that one. */
  void forget(long before) {
    pieces().stream().filter(piece -> piece.end <= before).forEach(piece -> files.delete(piece.name));
  }

  private List<Piece> pieces() {
    return files.names().stream()
        .filter(name -> name.endsWith(ENDING))
        .map(name -> {
          String[] ends = name.substring(0, name.length() - ENDING.length()).split("-");
          return new Piece(Long.parseLong(ends[0]), Long.parseLong(ends[1]), name);
        })
        .sorted(Comparator.comparingLong(Piece::start))
        .toList();
  }

  private static Line line(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      byte[] bytes = node.has("line") ? node.get("line").asText().getBytes(StandardCharsets.UTF_8)
          : HexFormat.of().parseHex(node.get("hex").asText());
      return new Line(bytes, node.get("at").asLong(), node.has("trouble") ? node.get("trouble").asText() : null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
