package io.rowtime.microbatch;

import io.rowtime.spark.RunningQuery;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.streaming.runtime.FileStreamSource;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamingExecutionRelation;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Lets all scans of one folder in one query find the same files for a micro-batch. Each scan is a source of its own for Spark,
 * and lists the folder when it is asked for its offset: a file that comes between two questions would be read by the second scan
 * only, and a result of both would be one that the folder has never had.
 */
final class FolderScans {
  /** The files of a source that a trigger for all that is there has listed. If it is set, the source does not list them itself. */
  private static final String LISTED = "allFilesForTriggerAvailableNow";

  private final SparkSession spark;
  private List<List<FileStreamSource>> shared;

  /** Those of the query that will be run by the thread that calls {@link #list}. */
  FolderScans(SparkSession spark) {
    this.spark = spark;
  }

  /**
   * Lists the folders with several scans, for the next micro-batch. Must be called before Spark asks for offsets. Does nothing,
   * and returns false, until the query's thread has called it.
   */
  boolean list() {
    if (shared == null) {
      MicroBatchExecution query = RunningQuery.of(spark);
      if (query == null) {
        return false;
      }
      shared = shared(sources(query));
    }
    shared.forEach(FolderScans::list);
    return true;
  }

  /** Returns the sources of the same files, where there are several. */
  static List<List<FileStreamSource>> shared(Collection<FileStreamSource> sources) {
    Map<List<Object>, List<FileStreamSource>> found = new LinkedHashMap<>();
    try {
      for (FileStreamSource source : sources) {
        List<Object> files = List.of(source.toString(), field("options").get(source), field("fileFormatClassName").get(source));
        found.computeIfAbsent(files, any -> new ArrayList<>()).add(source);
      }
      field(LISTED);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      // Another version of Spark: each scan lists its folder.
      return List.of();
    }
    return found.values().stream().filter(scans -> scans.size() > 1).toList();
  }

  /** Lets the first one list the folder for all. */
  static void list(List<FileStreamSource> scans) {
    FileStreamSource first = scans.get(0);
    first.prepareForTriggerAvailableNow();
    try {
      Field listed = field(LISTED);
      for (FileStreamSource scan : scans.subList(1, scans.size())) {
        listed.set(scan, listed.get(first));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field field(String name) throws NoSuchFieldException {
    Field field = FileStreamSource.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Returns the sources of files in a query, each once. */
  private static Set<FileStreamSource> sources(MicroBatchExecution query) {
    Set<FileStreamSource> found = new LinkedHashSet<>();
    for (LogicalPlan leaf : CollectionConverters.asJava(query.logicalPlan().collectLeaves())) {
      if (leaf instanceof StreamingExecutionRelation relation && relation.source() instanceof FileStreamSource source) {
        found.add(source);
      }
    }
    return found;
  }
}
