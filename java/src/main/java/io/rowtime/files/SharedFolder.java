package io.rowtime.files;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.BlockManagerId;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Whether a folder is the same one on the driver and on every executor. The driver leaves a file with a random text there,
 * each executor reads it and leaves one of its own, and the driver looks for those.
 */
public final class SharedFolder {
  /** Begins with what Spark's readers of folders pass over. */
  private static final String PREFIX = "_rowtime_shared_";
  private static final String DRIVER = "driver";
  /** An executor that is busy for long gets no task; so often it is tried. */
  private static final int TRIES = 3;

  private SharedFolder() {}

  /** What an executor has found: the text of a fault, or null. */
  private record Seen(String executor, String host, String fault) implements Serializable {}

  /** The executors that have registered so far, by their ids, with the host of each. */
  private static Map<String, String> registered() {
    Map<String, String> found = new LinkedHashMap<>();
    for (BlockManagerId id : CollectionConverters.asJava(
        SparkEnv.get().blockManager().master().getMemoryStatus().keySet())) {
      if (!id.isDriver()) {
        found.put(id.executorId(), id.host());
      }
    }
    return found;
  }

  /** The ids of the executors that have registered so far. */
  public static List<String> executors() {
    return new ArrayList<>(registered().keySet());
  }

  /**
   * Looks from executors into a folder.
   *
   * @param folder a path of the driver's disk; it is made where it is missing
   * @param known ids of executors that need not look any more
   * @return the ids of those that share the folder, and the texts of what is wrong, in two lists. An executor that is busy
   *     all the time is in neither.
   */
  public static List<List<String>> check(SparkSession spark, String folder, List<String> known) throws IOException {
    String nonce = UUID.randomUUID().toString();
    Path meeting = Path.of(folder).resolve(PREFIX + nonce);
    Files.createDirectories(meeting);
    try {
      Files.writeString(meeting.resolve(DRIVER), nonce);
      Map<String, Seen> found = new LinkedHashMap<>();
      for (int i = 0; i < TRIES; i++) {
        Map<String, String> missing = registered();
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
    return "writes files there that the driver on " + host() + " does not see";
  }

  /** A task for each executor; where there are none yet, one for the first that comes. */
  private static List<Seen> look(SparkContext context, String meeting, String nonce, Map<String, String> executors) {
    List<Tuple2<String, Seq<String>>> tasks = new ArrayList<>();
    executors.forEach((id, host) -> tasks.add(new Tuple2<>(id,
        CollectionConverters.asScala(List.of("executor_" + host + "_" + id)).toSeq())));
    if (tasks.isEmpty()) {
      tasks.add(new Tuple2<>("", CollectionConverters.asScala(List.<String>of()).toSeq()));
    }
    RDD<String> places = context.makeRDD(CollectionConverters.asScala(tasks).toSeq(), ClassTag$.MODULE$.apply(String.class));
    String driver = host();
    Function<String, Seen> look = ignored -> look(meeting, nonce, driver);
    return JavaRDD.fromRDD(places, ClassTag$.MODULE$.apply(String.class)).map(look).collect();
  }

  /** What the executor sees whose task this is. */
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
    return new Seen(executor, host(), fault);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return SparkEnv.get().blockManager().blockManagerId().host();
    }
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
