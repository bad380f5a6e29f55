package io.rowtime.files;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManagerId;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** Tasks of which each runs on an executor of its own, as far as Spark places them there. */
final class ExecutorTasks {
  private ExecutorTasks() {}

  /** Returns the ids of the executors that have registered so far, each with its host. */
  static Map<String, String> registered() {
    Map<String, String> found = new LinkedHashMap<>();
    for (BlockManagerId id : CollectionConverters.asJava(
        SparkEnv.get().blockManager().master().getMemoryStatus().keySet())) {
      if (!id.isDriver()) {
        found.put(id.executorId(), id.host());
      }
    }
    return found;
  }

  /**
   * Returns an element with a partition for each executor; if there are none, one that the first executor takes that
   * registers.
   *
   * @param executors ids of executors, each with its host
   */
  static JavaRDD<String> on(SparkContext context, Map<String, String> executors) {
    List<Tuple2<String, Seq<String>>> tasks = new ArrayList<>();
    executors.forEach((id, host) -> tasks.add(new Tuple2<>(id,
        CollectionConverters.asScala(List.of("executor_" + host + "_" + id)).toSeq())));
    if (tasks.isEmpty()) {
      tasks.add(new Tuple2<>("", CollectionConverters.asScala(List.<String>of()).toSeq()));
    }
    RDD<String> places = context.makeRDD(CollectionConverters.asScala(tasks).toSeq(), ClassTag$.MODULE$.apply(String.class));
    return JavaRDD.fromRDD(places, ClassTag$.MODULE$.apply(String.class));
  }

  /** Returns the name of the host that this runs on. */
  static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return SparkEnv.get().blockManager().blockManagerId().host();
    }
  }
}
