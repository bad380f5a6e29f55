package io.rowtime.microbatch;

import io.rowtime.spark.HiddenField;
import io.rowtime.spark.Rethrown;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.streaming.operators.stateful.StateStoreRestoreExec;
import org.apache.spark.sql.execution.streaming.operators.stateful.StateStoreSaveExec;
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperator;
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo;
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExec;
import org.apache.spark.sql.execution.streaming.state.NoPrefixKeyStateEncoderSpec;
import org.apache.spark.sql.execution.streaming.state.ReadStateStore;
import org.apache.spark.sql.execution.streaming.state.StateStore;
import org.apache.spark.sql.execution.streaming.state.StateStore$;
import org.apache.spark.sql.execution.streaming.state.StateStoreConf;
import org.apache.spark.sql.execution.streaming.state.StateStoreId;
import org.apache.spark.sql.execution.streaming.state.StateStoreProviderId;
import org.apache.spark.sql.execution.streaming.state.StateStoreThreadLocalTracker;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.types.NullType$;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import scala.Option;
import scala.Some;
import scala.collection.Iterator;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;

/**
 * A node of Spark's with state, and what its tasks need. It runs the code with which the node itself processes the rows of a
 * partition; only the way to it is shorter (see {@link TaskState}).
 */
final class StateNode {
  private static final MethodHandle SAVE = code(StateStoreSaveExec.class, StateStoreSaveExec.class, StateStore.class, Iterator.class);
  private static final MethodHandle RESTORE =
      code(StateStoreRestoreExec.class, StateStoreRestoreExec.class, SQLMetric.class, ReadStateStore.class, Iterator.class);
  private static final MethodHandle PROCESS =
      code(TransformWithStateExec.class, TransformWithStateExec.class, StateStore.class, Iterator.class);
  /** With this setting, tasks have classes of their own. */
  private static final String OWN_CLASSES = "spark.executor.userClassPathFirst";
  private static final Field PROCESSOR = HiddenField.of(TransformWithStateExec.class, "statefulProcessor", StatefulProcessor.class);
  /** What the tasks of a query have in common, by the session in which it runs. */
  private static final Map<SparkSession, Settings> SETTINGS = new WeakHashMap<>();

  /** @param hadoop Hadoop's settings, with those of the session */
  private record Settings(StateStoreConf state, Configuration hadoop) {
    static Settings of(SparkSession spark) {
      synchronized (SETTINGS) {
        return SETTINGS.computeIfAbsent(spark, any -> new Settings(
            new StateStoreConf(spark.sessionState().conf(), Map$.MODULE$.empty()), spark.sessionState().newHadoopConf()));
      }
    }
  }

  private final SparkPlan node;
  private final StatefulOperatorStateInfo info;
  private final StructType keys;
  private final StructType values;
  private final Settings settings;

  private StateNode(SparkPlan node, StructType keys, StructType values, Settings settings) {
    this.node = node;
    this.keys = keys;
    this.values = values;
    this.settings = settings;
    info = ((StatefulOperator) node).getStateInfo();
    // Computed once, before tasks add to them.
    node.metrics();
  }

  /** Returns whether this version of Spark lets all kinds of nodes run so. */
  static boolean isComplete() {
    return SAVE != null && RESTORE != null && PROCESS != null && PROCESSOR != null;
  }

  /**
   * Returns what the tasks of a node need; null for nodes that only Spark can run. A task adds to the metrics of the node
   * itself, so it must not be tried again: Spark forgets what a failed one has added.
   */
  static StateNode of(SparkPlan plan) {
    SparkContext context = plan.session().sparkContext();
    if (context.master().contains(",") || context.conf().getBoolean(OWN_CLASSES, false)) {
      return null;
    }
    StructType keys;
    StructType values;
    if (plan instanceof StateStoreSaveExec save && SAVE != null) {
      keys = columns(save.keyExpressions());
      values = save.stateManager().getStateValueSchema();
    } else if (plan instanceof StateStoreRestoreExec restore && RESTORE != null) {
      keys = columns(restore.keyExpressions());
      values = restore.stateManager().getStateValueSchema();
    } else if (plan instanceof TransformWithStateExec operator && PROCESS != null && PROCESSOR != null && operator.isStreaming()
        && !operator.hasInitialState()) {
      keys = operator.keyEncoder().schema();
      values = new StructType().add("__dummy__", NullType$.MODULE$);
    } else {
      return null;
    }
    Settings settings = Settings.of(plan.session());
    return settings.state.unloadOnCommit() ? null : new StateNode(plan, keys, values, settings);
  }

  private static StructType columns(Seq<Attribute> attributes) {
    return DataTypeUtils.fromAttributes(attributes);
  }

  /** Returns the processor that the node runs; null if it runs none. */
  StatefulProcessor<?, ?, ?> processor() {
    return node instanceof TransformWithStateExec operator ? operator.statefulProcessor() : null;
  }

  /**
   * Returns the rows that the node makes of those of a partition.
   *
   * @param processor the task's copy of the node's processor; null if it runs none
   */
  Iterator<InternalRow> process(int partition, Iterator<InternalRow> rows, StatefulProcessor<?, ?, ?> processor, TaskContext context) {
    StateStoreProviderId id = new StateStoreProviderId(
        new StateStoreId(info.checkpointLocation(), info.operatorId(), partition, StateStoreId.DEFAULT_STORE_NAME()), info.queryRunId());
    if (node instanceof StateStoreRestoreExec) {
      ReadStateStore store = StateStore$.MODULE$.getReadOnly(id, keys, values, new NoPrefixKeyStateEncoderSpec(keys), info.storeVersion(),
          checkpoint(partition), info.stateSchemaMetadata(), false, settings.state, settings.hadoop, false);
      // The node that saves the state continues with it.
      StateStoreThreadLocalTracker.setStore(store);
      context.addTaskCompletionListener((TaskCompletionListener) ended -> StateStoreThreadLocalTracker.clearStore());
      return call(() -> (Iterator<?>) RESTORE.invoke((StateStoreRestoreExec) node, node.longMetric("numOutputRows"), store, rows));
    }
    StateStore store = open(id, partition, node instanceof TransformWithStateExec);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> {
      if (!store.hasCommitted()) {
        store.abort();
      }
    });
    if (node instanceof TransformWithStateExec operator) {
      return call(() -> {
        PROCESSOR.set(operator, processor);
        return (Iterator<?>) PROCESS.invoke(operator, store, rows);
      });
    }
    return call(() -> (Iterator<?>) SAVE.invoke((StateStoreSaveExec) node, store, rows));
  }

  private StateStore open(StateStoreProviderId id, int partition, boolean families) {
    Option<ReadStateStore> read = StateStoreThreadLocalTracker.getStore();
    NoPrefixKeyStateEncoderSpec encoder = new NoPrefixKeyStateEncoderSpec(keys);
    return read.isDefined()
        ? StateStore$.MODULE$.getWriteStore(read.get(), id, keys, values, encoder, info.storeVersion(), checkpoint(partition),
            info.stateSchemaMetadata(), families, settings.state, settings.hadoop, false)
        : StateStore$.MODULE$.get(id, keys, values, encoder, info.storeVersion(), checkpoint(partition), info.stateSchemaMetadata(),
            families, settings.state, settings.hadoop, false);
  }

  /** Returns the identifier of the state to continue with, if checkpoints have such. */
  private Option<String> checkpoint(int partition) {
    Option<String[]> ids = info.getStateStoreCkptId(partition);
    return ids.isDefined() ? new Some<>(ids.get()[0]) : Option.empty();
  }

  private interface Call {
    Iterator<?> run() throws Throwable;
  }

  @SuppressWarnings("unchecked")
  private static Iterator<InternalRow> call(Call code) {
    try {
      return (Iterator<InternalRow>) code.run();
    } catch (Throwable fault) {
      throw Rethrown.unchanged(fault);
    }
  }

  /** Returns the code in which a node processes a partition; null if another version of Spark does so otherwise. */
  private static MethodHandle code(Class<?> of, Class<?>... parameters) {
    List<Method> found = Arrays.stream(of.getDeclaredMethods())
        .filter(method -> method.isSynthetic() && method.getName().contains("doExecute") && method.getReturnType() == Iterator.class
            && Arrays.equals(method.getParameterTypes(), parameters))
        .toList();
    try {
      return found.size() == 1 ? MethodHandles.publicLookup().unreflect(found.get(0)) : null;
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
