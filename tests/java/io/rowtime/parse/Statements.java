package io.rowtime.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The statements of {@code statements/*.sql}: each ends with a semicolon at the end of a line. */
final class Statements {
  private static final Path FOLDER = Path.of("tests/java/io/rowtime/parse/statements");

  /** A statement and its position: {@code grammar.sql:12}. */
  record Statement(String place, String sql) {
    @Override public String toString() {
      return place;
    }
  }

  private Statements() {}

  static List<Statement> all() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Statement> list = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        list.addAll(in(file));
      }
      return list;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Statement> in(Path file) throws IOException {
    List<Statement> list = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    int line = 0;
    int start = 1;
    for (String text : Files.readAllLines(file)) {
      line++;
      if (sql.toString().isBlank()) {
        sql.setLength(0);
        start = line;
      }
      sql.append(text).append('\n');
      if (text.endsWith(";")) {
        String statement = sql.toString().stripTrailing();
        list.add(new Statement(file.getFileName() + ":" + start, statement.substring(0, statement.length() - 1)));
        sql.setLength(0);
      }
    }
    if (!sql.toString().isBlank()) {
      throw new IllegalStateException(file + " does not end with a semicolon");
    }
    return list;
  }
}
