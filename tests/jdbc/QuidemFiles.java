import io.rowtime.driver.StreamingPreparedStatement;
import io.rowtime.driver.StreamingStatement;
import io.rowtime.driver.TimeoutException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.hydromatic.quidem.Command;
import net.hydromatic.quidem.CommandHandler;
import net.hydromatic.quidem.Quidem;

/**
 * Runs files with Quidem. Arguments: pairs of a URL and a file; Quidem's output is written to the file's name with
 * {@code .out} appended.
 *
 * <p>In addition to Quidem's own commands there are commands for streams: {@code !open} runs the statement above it and
 * leaves its result open; {@code !rows n [unordered]} reads as many rows of the n-th open result as are listed above
 * it; {@code !bound stream 'time' [strict]}; {@code !end} closes the results, and prints rows that were not expected.
 */
public class QuidemFiles {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int SHORT_TIMEOUT_MILLIS = 300;
  private static final Pattern BOUND = Pattern.compile("bound (\\S+) '([^']+)'( strict)?");

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      String url = args[i];
      Path file = Path.of(args[i + 1]);
      try (Streams streams = new Streams(); PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(file + ".out")))) {
        new Quidem(Quidem.configBuilder()
            .withReader(Files.newBufferedReader(file))
            .withWriter(out)
            .withConnectionFactory((name, reference) -> reference ? null : DriverManager.getConnection(url))
            .withCommandHandler(streams)
            .build()).execute();
      } catch (RuntimeException e) {
        Files.writeString(Path.of(file + ".out"), e + "\n" + e.getCause());
      }
    }
  }

  /** The action of a command. */
  private interface Action {
    void run(Command.Context x) throws Exception;
  }

  /** The commands for streams, and the open results of a file. */
  private static final class Streams implements CommandHandler, AutoCloseable {
    private final List<ResultSet> open = new ArrayList<>();
    private final List<StreamingStatement> statements = new ArrayList<>();

    @Override public Command parseCommand(List<String> lines, List<String> content, String line) {
      List<String> own = List.copyOf(lines);
      List<String> expected = List.copyOf(content);
      String[] words = line.split(" ");
      return switch (words[0]) {
        case "open" -> command(line, own, this::open);
        case "rows" -> command(line, own, x -> rows(x, Integer.parseInt(words[1]) - 1, expected, words.length > 2));
        case "bound" -> command(line, own, x -> bound(x, line));
        case "end" -> command(line, own, this::end);
        default -> null;
      };
    }

    private static Command command(String line, List<String> lines, Action action) {
      return new Command() {
        @Override public String describe(Context x) {
          return line;
        }

        @Override public void execute(Context x, boolean execute) throws Exception {
          try {
            action.run(x);
          } catch (SQLException e) {
            x.writer().println(e.getMessage());
          }
          x.echo(lines);
        }
      };
    }

    private void open(Command.Context x) throws SQLException {
      StreamingStatement statement = (StreamingStatement) x.connection().createStatement();
      statements.add(statement);
      open.add(statement.executeQuery(x.previousSqlCommand().sql));
    }

    private void rows(Command.Context x, int number, List<String> expected, boolean unordered) throws SQLException {
      statements.get(number).setQueryTimeoutMillis(TIMEOUT_MILLIS);
      List<String> found = new ArrayList<>();
      try {
        while (found.size() < expected.size() && open.get(number).next()) {
          found.add(text(open.get(number)));
        }
      } catch (TimeoutException e) {
        found.add("No more rows have come");
      }
      if (unordered) {
        List<String> rest = new ArrayList<>(found);
        expected.stream().filter(rest::remove).forEach(x.writer()::println);
        found = rest;
      }
      found.forEach(x.writer()::println);
    }

    private void bound(Command.Context x, String line) throws SQLException {
      Matcher given = BOUND.matcher(line);
      if (!given.matches()) {
        throw new IllegalArgumentException(line);
      }
      long millis = LocalDateTime.parse(given.group(2).replace(' ', 'T')).toInstant(ZoneOffset.UTC).toEpochMilli();
      try (StreamingPreparedStatement producer = (StreamingPreparedStatement) x.connection().prepareStatement(
          "INSERT EXPEDITED INTO " + given.group(1) + " (ROWTIME) VALUES (?)")) {
        producer.setRowtimeBound(new Timestamp(millis), null, given.group(3) != null);
      }
    }

    private void end(Command.Context x) throws SQLException {
      for (int i = 0; i < open.size(); i++) {
        statements.get(i).setQueryTimeoutMillis(SHORT_TIMEOUT_MILLIS);
        try {
          while (open.get(i).next()) {
            x.writer().println("Not expected of " + (i + 1) + ": " + text(open.get(i)));
          }
        } catch (TimeoutException e) {
          // As expected.
        }
      }
      close();
    }

    @Override public void close() throws SQLException {
      for (StreamingStatement statement : statements) {
        statement.close();
      }
      statements.clear();
      open.clear();
    }

    private static String text(ResultSet row) throws SQLException {
      List<String> cells = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        cells.add(row.getString(i));
      }
      return String.join(", ", cells);
    }
  }
}
