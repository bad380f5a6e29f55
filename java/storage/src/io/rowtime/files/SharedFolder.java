package io.rowtime.files;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.SparkSession;

/**
 * Checks whether a folder is the same on the driver and on every executor. The driver writes a file with a random text
 * there, each executor reads it and writes a file of its own, and the driver looks for those files.
 */
public final class SharedFolder {
  /** A prefix that Spark's readers of folders ignore. */
  private static final String PREFIX = "_rowtime_shared_";
  private static final String DRIVER = "driver";
  /** The number of attempts: an executor that is busy for a long time gets no task. */
  private static final int ATTEMPTS = 3;

  private SharedFolder() {}

  /** The result of one executor: an error message, or null. */
  private record Seen(String executor, String host, String fault) implements Serializable {}

  /** Returns the ids of the executors that have registered so far. */
  public static List<String> executors() {
    return new ArrayList<>(ExecutorTasks.registered().keySet());
  }

  /**
   * Checks a folder from the executors.
   *
   * @param folder a path on the driver's disk; it is created if necessary
   * @param known the ids of executors that need not check any more
   * @return two lists: the ids of the executors that share the folder, and error messages. An executor that is busy all
   *     the time is in neither.
   */
  public static List<List<String>> check(SparkSession spark, String folder, List<String> known) throws IOException {
    String nonce = UUID.randomUUID().toString();
    Path meeting = Path.of(folder).resolve(PREFIX + nonce);
    Files.createDirectories(meeting);
    try {
      Files.writeString(meeting.resolve(DRIVER), nonce);
      Map<String, Seen> found = new LinkedHashMap<>();
      for (int i = 0; i < ATTEMPTS; i++) {
        Map<String, String> missing = ExecutorTasks.registered();
        missing.keySet().removeAll(known);
        missing.keySet().removeAll(found.keySet());
        if (missing.isEmpty() && !(known.isEmpty() && found.isEmpty())) {
          break;
        }
        for (Seen seen : look(spark.sparkContext(), meeting.toString(), nonce, missing)) {
          found.put(seen.executor, seen);
        }
      }
      List<String> shared = new ArrayList<>();
      List<String> faults = new ArrayList<>();
      for (Seen seen : found.values()) {
        String fault = seen.fault != null ? seen.fault : unseen(meeting, seen);
        if (fault == null) {
          shared.add(seen.executor);
        } else {
          faults.add("executor " + seen.executor + " on " + seen.host + " " + fault);
        }
      }
      return List.of(shared, faults);
    } finally {
      remove(meeting);
    }
  }

  private static String unseen(Path meeting, Seen seen) throws IOException {
    Path left = meeting.resolve(seen.executor);
    if (Files.exists(left) && Files.readString(left).equals(meeting.getFileName().toString())) {
      return null;
    }
    return "writes files there that the driver on " + ExecutorTasks.host() + " does not see";
  }

  /** Runs a task on each executor; if there are none yet, one task on the first that registers. */
  private static List<Seen> look(SparkContext context, String meeting, String nonce, Map<String, String> executors) {
    String driver = ExecutorTasks.host();
    Function<String, Seen> look = ignored -> look(meeting, nonce, driver);
    return ExecutorTasks.on(context, executors).map(look).collect();
  }

  /** Returns what the executor that runs this task sees. */
  private static Seen look(String meeting, String nonce, String driver) {
    String executor = SparkEnv.get().executorId();
    Path place = Path.of(meeting);
    String fault = null;
    try {
      if (!Files.exists(place.resolve(DRIVER)) || !Files.readString(place.resolve(DRIVER)).equals(nonce)) {
        fault = "does not see the files that the driver on " + driver + " writes there";
      } else {
        Files.writeString(place.resolve(executor), place.getFileName().toString());
      }
    } catch (AccessDeniedException e) {
      fault = "has no permission to read and write there";
    } catch (IOException e) {
      fault = "cannot read and write there: " + e.getMessage();
    }
    return new Seen(executor, ExecutorTasks.host(), fault);
  }

  private static void remove(Path meeting) throws IOException {
    try (Stream<Path> files = Files.list(meeting)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(meeting);
  }
}
