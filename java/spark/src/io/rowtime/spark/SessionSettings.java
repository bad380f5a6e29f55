package io.rowtime.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The settings of sessions: those that a query needs while it starts, in the session of the user, and those of copies
 * of that session in which relational queries run.
 */
public final class SessionSettings {
  /** What the settings were that are changed at present, by session; the innermost change first. */
  private static final Map<SparkSession, Deque<Map<String, String>>> CHANGED = new WeakHashMap<>();

  private SessionSettings() {}

  /** Changes settings until {@link #restore}. */
  public static synchronized void apply(SparkSession session, Map<String, String> wanted) {
    Map<String, String> before = new HashMap<>();
    CHANGED.computeIfAbsent(session, any -> new ArrayDeque<>()).push(before);
    SQLConf conf = conf(session);
    wanted.forEach((key, value) -> {
      String old = conf.getConfString(key, null);
      if (!value.equals(old)) {
        session.conf().set(key, value);
        before.put(key, old);
      }
    });
  }

  /** Takes back the latest change. */
  public static synchronized void restore(SparkSession session) {
    put(conf(session), CHANGED.get(session).pop());
  }

  /** Returns a copy of a session, with the same catalog, functions and cached tables. */
  public static SparkSession copy(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).cloneSession();
  }

  /**
   * Gives a copy the present settings of its original, apart from changes until {@link #restore}, and the settings of
   * its next query.
   */
  public static synchronized void refresh(SparkSession copy, SparkSession original, Map<String, String> wanted) {
    SQLConf conf = conf(copy);
    conf.clear();
    CollectionConverters.asJava(conf(original).getAllConfs()).forEach(conf::setConfString);
    // The outermost change last: it knows what was there first.
    CHANGED.getOrDefault(original, new ArrayDeque<>()).forEach(before -> put(conf, before));
    wanted.forEach(conf::setConfString);
    List<SparkStrategy> strategies = new ArrayList<>(CollectionConverters.asJava(Strategies.of(original)));
    strategies.removeIf(Strategies.Own.class::isInstance);
    Strategies.set(copy, strategies);
    methods(copy).extraOptimizations_$eq(methods(original).extraOptimizations());
  }

  private static void put(SQLConf conf, Map<String, String> before) {
    before.forEach((key, old) -> {
      if (old == null) {
        conf.unsetConf(key);
      } else {
        conf.setConfString(key, old);
      }
    });
  }

  private static SQLConf conf(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).sessionState().conf();
  }

  private static org.apache.spark.sql.ExperimentalMethods methods(SparkSession session) {
    return ((org.apache.spark.sql.classic.SparkSession) session).experimental();
  }
}
