package io.rowtime.operator.group;

import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.Replay;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.Stages;
import io.rowtime.operator.spec.GroupingSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.SessionWindowsSpec;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Feeds groups batch by batch, drops their memory now and then, and compares the result after every batch with a model.
 */
final class GroupReplay {
  /** Adds the output rows to those by key, each of which may occur only once. */
  interface Taker extends Replay.Taker<Map<String, List<Object>>> {}

  interface Model extends Replay.Model<Map<String, List<Object>>> {}

  /** Transforms the rows of a batch before they reach the operator, and has the columns that they have then. */
  interface Way {
    StructType schema();

    Iterator<InternalRow> rows(List<Item> batch);
  }

  private static final Way AS_THEY_ARE = new Way() {
    @Override public StructType schema() {
      return Item.SCHEMA;
    }

    @Override public Iterator<InternalRow> rows(List<Item> batch) {
      return batch.stream().map(Item::row).iterator();
    }
  };

  private GroupReplay() {}

  /** Feeds all rows, and advances the clock until nothing is due; returns the output. No state may be left. */
  static Map<String, List<Object>> run(int seed, Random random, GroupingSpec spec, List<Item> rows, long disorder, Taker taker,
      Model model) {
    return run(seed, random, spec, rows, disorder, AS_THEY_ARE, taker, model);
  }

  static Map<String, List<Object>> run(int seed, Random random, GroupingSpec spec, List<Item> rows, long disorder, Way way, Taker taker,
      Model model) {
    return run(seed, random, spec, () -> GroupStages.of(spec, spec.arrivals().ordered(), way.schema()), rows, disorder, way, taker, model);
  }

  /** Does the same for rows that are emitted with their windows. */
  static Map<String, List<Object>> run(int seed, Random random, SessionWindowsSpec spec, List<Item> rows, long disorder, Taker taker,
      Model model) {
    return run(seed, random, spec, () -> GroupStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA), rows, disorder, AS_THEY_ARE, taker, model);
  }

  private static Map<String, List<Object>> run(int seed, Random random, OperatorSpec spec, Supplier<Stages> stages, List<Item> rows,
      long disorder, Way way, Taker taker, Model model) {
    FedOperator fed = new FedOperator(() -> new StagePipeline(stages.get()));
    return Replay.run(seed, random, spec, fed, rows, disorder, way::rows, new TreeMap<>(), taker, model);
  }
}
