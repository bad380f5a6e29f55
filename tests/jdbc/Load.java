import io.rowtime.driver.StreamingPreparedStatement;
import io.rowtime.driver.StreamingStatement;
import io.rowtime.driver.TimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Opens connections that each read the whole stream {@code load} and are a producer for it. Arguments: URL, the number
 * of the first connection, the number of connections, and for how many seconds they send after all have started.
 *
 * <p>Prints {@code ack PRODUCER FIRST} for each batch that is acknowledged, {@code read READER COUNTS}, the rows of
 * each producer that a reader has read, and {@code wrong …} for a row that is missing, duplicated, or out of order.
 */
public class Load {
  static final int BATCH = 20;
  static final int PRODUCERS = 20;
  private static final long PERIOD_MILLIS = 100;
  private static final int BOUND_GOES_BACK = 501;
  private static final String WORD = "x".repeat(200);

  private final String url;
  private final int first;
  private final int count;
  private final long nanos;
  private final CountDownLatch attached;
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(PRODUCERS);
  private final AtomicBoolean failed = new AtomicBoolean();

  Load(String url, int first, int count, double seconds) {
    this.url = url;
    this.first = first;
    this.count = count;
    nanos = (long) (seconds * 1e9);
    attached = new CountDownLatch(count);
  }

  public static void main(String[] args) throws Exception {
    new Load(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]), Double.parseDouble(args[3])).run();
  }

  private void run() throws Exception {
    List<Connection> connections = new ArrayList<>();
    List<Thread> producers = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      connections.add(DriverManager.getConnection(url));
    }
    for (int i = 0; i < count; i++) {
      int own = first + i;
      Connection connection = connections.get(i);
      readers.add(started(() -> read(connection, own, producers)));
      producers.add(started(() -> produce(connection, own)));
    }
    for (Thread thread : producers) {
      thread.join();
    }
    for (Thread thread : readers) {
      thread.join();
    }
    for (Connection connection : failed.get() ? List.<Connection>of() : connections) {
      connection.close();
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private Thread started(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (Exception e) {
        failed.set(true);
        say("# " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    });
    thread.start();
    return thread;
  }

  private void produce(Connection connection, int own) throws Exception {
    try (StreamingPreparedStatement insert = (StreamingPreparedStatement) connection.prepareStatement(
        "INSERT EXPEDITED INTO load (ROWTIME, producer, n, word) VALUES (?, ?, ?, ?)")) {
      long at = attach(insert);
      long end = Long.MAX_VALUE;
      for (int n = 0; System.nanoTime() < end && !failed.get(); n += BATCH) {
        long begin = System.currentTimeMillis();
        at = Math.max(at, begin);
        for (int i = 0; i < BATCH; i++) {
          insert.setTimestamp(1, new Timestamp(at));
          insert.setInt(2, own);
          insert.setInt(3, n + i);
          insert.setString(4, WORD);
          insert.addBatch();
        }
        insert.executeBatch();
        acknowledged.addAndGet(own, BATCH);
        say("ack " + own + " " + n);
        attached.countDown();
        if (end == Long.MAX_VALUE && attached.getCount() == 0) {
          end = System.nanoTime() + nanos;
        }
        Thread.sleep(Math.max(0, begin + PERIOD_MILLIS - System.currentTimeMillis()));
      }
    }
  }

  /** Attaches with a time after the stream's bound, so that no row is late, and returns that time. */
  private static long attach(StreamingPreparedStatement insert) throws SQLException {
    while (true) {
      long at = System.currentTimeMillis() + 2_000;
      try {
        insert.setRowtimeBound(new Timestamp(at));
        return at;
      } catch (SQLException e) {
        // Another producer, the only one so far, was a moment later.
        if (e.getErrorCode() != BOUND_GOES_BACK) {
          throw e;
        }
      }
    }
  }

  private void read(Connection connection, int own, List<Thread> producers) throws SQLException, InterruptedException {
    int[] read = new int[PRODUCERS];
    try (StreamingStatement statement = (StreamingStatement) connection.createStatement()) {
      statement.setQueryTimeoutMillis(500);
      ResultSet rows = statement.executeQuery("SELECT STREAM /*+ FROM_EARLIEST */ ROWTIME, producer, n, word FROM load");
      long at = 0;
      long total = 0;
      while (!failed.get() && !isComplete(read, producers)) {
        if (!next(rows)) {
          continue;
        }
        int producer = rows.getInt(2);
        if (rows.getInt(3) != read[producer]++ || rows.getTimestamp(1).getTime() < at || !WORD.equals(rows.getString(4))) {
          say("wrong " + own + ": producer " + producer + ", n " + rows.getInt(3) + ", expected " + (read[producer] - 1));
          break;
        }
        at = rows.getTimestamp(1).getTime();
        if (++total == 500 && own == first) {
          // A reader that does not fetch for a while blocks nobody, and misses nothing.
          Thread.sleep(1_500);
        }
      }
    }
    say("read " + own + " " + Arrays.toString(read));
  }

  private static boolean next(ResultSet rows) throws SQLException {
    try {
      return rows.next();
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** Returns whether all rows that the producers of this program have sent have been read. */
  private boolean isComplete(int[] read, List<Thread> producers) {
    if (attached.getCount() > 0 || producers.stream().anyMatch(Thread::isAlive)) {
      return false;
    }
    for (int i = first; i < first + count; i++) {
      if (read[i] < acknowledged.get(i)) {
        return false;
      }
    }
    return true;
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
