package io.rowtime.log;

import io.rowtime.spark.Round;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The commits of one table for all scans of one query. In each micro-batch all of them read up to the same version, so that a
 * table which is joined with itself is never joined with another version of itself.
 */
public final class SharedCommits {
  /** By a name that is unique for a table in a run of a query. */
  private static final Map<String, SharedCommits> NAMED = new ConcurrentHashMap<>();

  private final TableCommits commits;
  private final Round round = new Round();
  private long version = -1;

  private SharedCommits(TableCommits commits) {
    this.commits = commits;
  }

  /** Makes commits available to the sources that name them. */
  public static void register(String name, TableCommits commits) {
    NAMED.put(name, new SharedCommits(commits));
  }

  /** Forgets commits whose query has ended. */
  public static void release(String name) {
    NAMED.remove(name);
  }

  static SharedCommits named(String name) {
    SharedCommits found = NAMED.get(name);
    if (found == null) {
      throw new IllegalStateException("The query has ended, and no longer knows the commits of its tables");
    }
    return found;
  }

  TableCommits commits() {
    return commits;
  }

  /** Returns the version up to which a source reads in the next micro-batch: that of the first source that asks for it. */
  synchronized long next(Object source, LongSupplier newest) {
    if (round.beginsWith(source)) {
      version = Math.max(version, newest.getAsLong());
    }
    return version;
  }

  /** Returns a result of the commits; throws if they have none. */
  String require(String result) {
    if (result == null) {
      // The driver turns it into the diagnostic that it names.
      throw new IllegalStateException("A table cannot be read: " + commits.failure());
    }
    return result;
  }
}
