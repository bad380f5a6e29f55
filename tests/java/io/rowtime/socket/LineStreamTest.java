package io.rowtime.socket;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LineStreamTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private ServerSocket server;
  private Socket client;
  private Connection connection;

  @Before public void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @After public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
    server.close();
  }

  private LineStream stream(int most) throws IOException {
    connection = new Connection("127.0.0.1", server.getLocalPort());
    client = server.accept();
    return new LineStream(connection, new LineFiles(folder.getRoot().toURI().toString()), most);
  }

  private void send(String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the offset when there is one more line. */
  private static Offset next(LineStream stream, Offset from) throws InterruptedException {
    for (int i = 0; i < 6000; i++) {
      Offset found = stream.latestOffset(from, null);
      if (!found.equals(from)) {
        return found;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("nothing came");
  }

  private static List<String> lines(LineStream stream, Offset start, Offset end) throws IOException {
    List<String> found = new ArrayList<>();
    for (InputPartition partition : stream.planInputPartitions(start, end)) {
      try (PartitionReader<InternalRow> reader = stream.createReaderFactory().createReader(partition)) {
        while (reader.next()) {
          found.add(reader.get().getLong(1) + " " + reader.get().getUTF8String(0));
        }
      }
    }
    return found;
  }

  @Test public void aBatchIsThereAgainAfterACrash() throws Exception {
    LineStream stream = stream(2);
    send("a\n\u00e9 \\n\"\n");
    Offset start = stream.initialOffset();
    Offset end = next(stream, start);
    while (!end.json().equals("2")) {
      // the second line had not arrived yet
      assertEquals("1", end.json());
      end = new LineOffset(Long.parseLong(next(stream, end).json()));
    }
    stream.stop();
    LineStream again = stream(2);
    assertEquals(List.of("0 a", "1 \u00e9 \\n\""), lines(again, again.deserializeOffset("0"), again.deserializeOffset("2")));
    // Lines that arrive now are numbered from there on.
    send("b\n");
    Offset more = next(again, new LineOffset(2));
    assertEquals(List.of("2 b"), lines(again, new LineOffset(2), more));
    again.commit(new LineOffset(2));
    assertArrayEquals(new String[] {"2-3.lines"}, folder.getRoot().list());
    assertThrows(IllegalStateException.class, () -> lines(again, new LineOffset(0), new LineOffset(2)));
  }

  @Test public void linesThatWereWrittenDownAndNotPlannedAreTheNextBatch() throws Exception {
    LineStream stream = stream(10);
    send("a\n");
    next(stream, stream.initialOffset());
    stream.stop();
    LineStream again = stream(10);
    send("b\n");
    Offset first = again.latestOffset(new LineOffset(0), null);
    assertEquals("1", first.json());
    assertEquals(List.of("0 a"), lines(again, new LineOffset(0), first));
    assertEquals(List.of("1 b"), lines(again, first, next(again, first)));
  }

  @Test public void aServerThatComesBackIsFound() throws Exception {
    LineStream stream = stream(10);
    send("a\n");
    Offset first = next(stream, stream.initialOffset());
    client.close();
    client = server.accept();
    send("b");
    client.close();
    // A line that the server has not ended counts when the connection is closed.
    assertEquals(List.of("1 b"), lines(stream, first, next(stream, first)));
  }

  @Test public void aQueryThatTakesWhatThereIsEnds() throws Exception {
    LineStream stream = stream(10);
    send("a\n");
    Offset first = next(stream, stream.initialOffset());
    stream.prepareForTriggerAvailableNow();
    stream.latestOffset(first, null);
    send("b\n");
    Thread.sleep(200);
    assertEquals(first.json(), stream.latestOffset(first, null).json());
  }
}
