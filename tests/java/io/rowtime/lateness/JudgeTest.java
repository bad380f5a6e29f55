package io.rowtime.lateness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The judge of late rows against a few lines that do the same with lists, over batches, tasks and repetitions. */
public class JudgeTest {
  private static final StructType SCHEMA = new StructType().add("n", DataTypes.IntegerType)
      .add("at", DataTypes.TimestampType).add("atLess", DataTypes.TimestampType)
      .add("price", DataTypes.createDecimalType(38, 2)).add("priceLess", DataTypes.createDecimalType(38, 2))
      .add("count", DataTypes.LongType).add("mark", DataTypes.BooleanType);
  private static final List<String> NAMES = List.of("N", "AT", "AT_LESS", "PRICE", "PRICE_LESS", "COUNT", "MARK");

  @Rule public final TemporaryFolder files = new TemporaryFolder();

  /** A row as the model knows it; null is SQL's NULL. A mark has a threshold and nothing else. */
  private record Item(int n, Long at, Long price, Long count, Long mark) {}

  /** What is declared: null where a column has no LATENESS, or is not MONOTONIC. */
  private record Declared(Long at, Long price, Boolean falling) {
    InternalRow row(Item item) {
      if (item.mark != null) {
        return new GenericInternalRow(new Object[] {item.n, null, item.mark * 1000, null, null, null, true});
      }
      return new GenericInternalRow(new Object[] {item.n, item.at == null ? null : item.at * 1000,
          item.at == null ? null : (item.at - (at == null ? 0 : at)) * 1000, money(item.price, 0),
          money(item.price, price == null ? 0 : price), item.count, false});
    }

    private static Decimal money(Long cents, long less) {
      return cents == null ? null : Decimal.apply(BigDecimal.valueOf(cents - less, 2), 38, 2);
    }

    List<Judged> columns() {
      List<Judged> columns = new ArrayList<>();
      if (at != null) {
        columns.add(new Judged(1, 2, false, false, "late"));
      }
      if (price != null) {
        columns.add(new Judged(3, 4, false, false, "late"));
      }
      if (falling != null) {
        columns.add(new Judged(5, 5, falling, true, "not monotonic"));
      }
      return columns;
    }
  }

  /** The meaning, word for word: clocks are the largest values of kept rows of earlier steps. */
  private static final class Model {
    private final Declared declared;
    private Long at;
    private Long price;
    private Long count;
    private int late;

    Model(Declared declared) {
      this.declared = declared;
    }

    List<Integer> step(List<Item> items) {
      List<Integer> kept = new ArrayList<>();
      Long nextAt = at;
      Long nextPrice = price;
      List<Item> inOrder = new ArrayList<>(items);
      if (declared.falling != null) {
        inOrder.sort((a, b) -> Long.compare(a.at == null ? Long.MIN_VALUE : a.at, b.at == null ? Long.MIN_VALUE : b.at));
      }
      for (Item item : inOrder) {
        if (item.mark != null) {
          nextAt = max(nextAt, item.mark + (declared.at == null ? 0 : declared.at));
        } else if (isLate(item)) {
          late++;
          continue;
        } else {
          nextAt = max(nextAt, item.at);
          nextPrice = max(nextPrice, item.price);
          count = item.count == null ? count : item.count;
        }
        kept.add(item.n);
      }
      at = nextAt;
      price = nextPrice;
      return kept;
    }

    private boolean isLate(Item item) {
      return declared.at != null && item.at != null && at != null && at - declared.at > item.at
          || declared.price != null && item.price != null && price != null && price - declared.price > item.price
          || declared.falling != null && item.count != null && count != null
              && (declared.falling ? item.count > count : item.count < count);
    }

    private static Long max(Long one, Long other) {
      return one == null || other != null && other > one ? other : one;
    }
  }

  private List<Integer> run(Judge.Setup setup, Declared declared, List<Item> items, int tasks, long batch, String run) {
    List<Integer> kept = new ArrayList<>();
    int size = items.size() / tasks + 1;
    for (int task = 0; task < tasks; task++) {
      List<InternalRow> rows = items.subList(Math.min(task * size, items.size()), Math.min((task + 1) * size, items.size()))
          .stream().map(declared::row).toList();
      Iterator<InternalRow> out = new Judge(setup).judge(rows.iterator(), new Task(batch, task, run));
      out.forEachRemaining(row -> kept.add(row.getInt(0)));
    }
    return kept;
  }

  private static Long maybe(Random random, long value) {
    return random.nextInt(12) == 0 ? null : value;
  }

  private static long late(Path folder, String run) throws Exception {
    if (!Files.exists(folder)) {
      return 0;
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.map(file -> file.getFileName().toString().replace(".jsonl", "").split("-"))
          .filter(parts -> parts[2].equals(run)).mapToLong(parts -> Long.parseLong(parts[4])).sum();
    }
  }

  @Test public void behavesLikeTheModel() throws Exception {
    for (int seed = 0; seed < Integer.getInteger("cases", 200); seed++) {
      Random random = new Random(seed);
      Declared declared = new Declared(random.nextInt(5) == 0 ? null : (long) random.nextInt(40),
          random.nextBoolean() ? null : (long) random.nextInt(500), random.nextInt(3) == 0 ? random.nextBoolean() : null);
      if (declared.columns().isEmpty()) {
        continue;
      }
      Path folder = files.newFolder().toPath();
      Judge.Setup setup = new Judge.Setup(SCHEMA, declared.columns(), 6, declared.falling == null ? -1 : 1,
          declared.at == null ? -1 : 0, NAMES, folder.resolve("clocks").toUri().toString(),
          folder.resolve("late").toUri().toString(), 1, List.of(), "");
      Model model = new Model(declared);
      long clock = 1000;
      int n = 0;
      for (long batch = 0; batch < 60; batch++) {
        List<Item> items = new ArrayList<>();
        clock += random.nextInt(30);
        for (int i = random.nextInt(8); i > 0; i--) {
          items.add(declared.at != null && random.nextInt(20) == 0 ? new Item(n++, null, null, null, clock - 20)
              : new Item(n++, maybe(random, clock - random.nextInt(60)), maybe(random, clock * 10 - random.nextInt(600)),
                  maybe(random, (declared.falling == Boolean.TRUE ? -1 : 1) * (clock + random.nextInt(30))), null));
        }
        boolean inOrder = declared.falling != null;
        String what = "seed " + seed + ", batch " + batch;
        if (random.nextInt(4) == 0) {
          // A run that broke off: some of its tasks are done.
          int done = random.nextInt(items.size() + 1);
          run(setup, declared, items.subList(0, inOrder ? items.size() : done), 1, batch, "broken");
        }
        List<Integer> expected = model.step(items);
        assertEquals(what, expected, run(setup, declared, items, inOrder ? 1 : 1 + random.nextInt(3), batch, "good"));
        Long bound = new ClockFolder(setup.folder()).latest().bound();
        assertEquals(what, declared.at == null || model.at == null ? null : Long.valueOf(model.at - declared.at), bound);
      }
      assertEquals("seed " + seed, model.late, late(folder.resolve("late"), "good"));
      try (Stream<Path> left = Files.list(folder.resolve("clocks"))) {
        assertTrue(left.count() < 80);
      }
    }
  }

  @Test public void lateRowsAreShownAndCountedAndOnlySoManyKept() throws Exception {
    Declared declared = new Declared(0L, null, null);
    Path folder = files.newFolder().toPath();
    Judge.Setup setup = new Judge.Setup(SCHEMA, declared.columns(), 6, -1, 0, NAMES,
        folder.resolve("clocks").toUri().toString(), folder.resolve("late").toUri().toString(), 7, List.of(), "");
    run(setup, declared, List.of(new Item(0, 3_600_000L, null, null, null)), 1, 0, "r");
    List<Item> many = new ArrayList<>();
    for (int i = 1; i <= 1500; i++) {
      many.add(new Item(i, 1000L, 250L, null, null));
    }
    assertEquals(List.of(), run(setup, declared, many, 1, 1, "r"));
    List<String> lines = Files.readAllLines(folder.resolve("late").resolve("1-7-r-0-1500.jsonl"));
    assertEquals(LateRows.KEPT, lines.size());
    assertEquals("{\"reason\":\"late\",\"row\":{\"N\":\"1\",\"AT\":\"1970-01-01 00:00:01\",\"AT_LESS\":\"1970-01-01 00:00:01\","
        + "\"PRICE\":\"2.50\",\"PRICE_LESS\":\"2.50\",\"COUNT\":null,\"MARK\":\"false\"}}", lines.get(0));
  }
}
