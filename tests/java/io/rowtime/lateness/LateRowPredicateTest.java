package io.rowtime.lateness;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.GeneratePredicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The filtering of rows, in generated and in interpreted code, compared with a simple model with lists, over batches,
 * tasks and repetitions.
 */
public class LateRowPredicateTest {
  private static final StructType SCHEMA = new StructType().add("n", DataTypes.IntegerType)
      .add("at", DataTypes.TimestampType).add("atLess", DataTypes.TimestampType)
      .add("price", DataTypes.createDecimalType(38, 2)).add("priceLess", DataTypes.createDecimalType(38, 2))
      .add("count", DataTypes.IntegerType).add("must", DataTypes.StringType);
  private static final StructType SHOWN = new StructType().add("N", DataTypes.IntegerType)
      .add("AT", DataTypes.TimestampType).add("PRICE", DataTypes.createDecimalType(38, 2)).add("COUNT", DataTypes.IntegerType)
      .add("MUST", DataTypes.StringType);

  @Rule public final TemporaryFolder files = new TemporaryFolder();

  /** A row of the model; null is SQL's NULL. A mark has a threshold and nothing else. */
  private record Item(int n, Long at, Long price, Integer count, String must, Long mark) {}

  /** The declarations: null if a column has no LATENESS, or is not MONOTONIC; {@code must} is NOT NULL. */
  private record Declared(Long at, Long price, Boolean falling) {
    InternalRow row(Item item) {
      if (item.mark != null) {
        return new GenericInternalRow(new Object[] {item.n, null, item.mark * 1000, null, null, null, null});
      }
      return new GenericInternalRow(new Object[] {item.n, item.at == null ? null : item.at * 1000,
          item.at == null ? null : (item.at - (at == null ? 0 : at)) * 1000, money(item.price, 0),
          money(item.price, price == null ? 0 : price), item.count, UTF8String.fromString(item.must)});
    }

    private static Decimal money(Long cents, long less) {
      return cents == null ? null : Decimal.apply(BigDecimal.valueOf(cents - less, 2), 38, 2);
    }

    List<LatenessColumn> columns() {
      List<LatenessColumn> columns = new ArrayList<>();
      if (at != null) {
        columns.add(new LatenessColumn(false, false, "late"));
      }
      if (price != null) {
        columns.add(new LatenessColumn(false, false, "late"));
      }
      if (falling != null) {
        columns.add(new LatenessColumn(falling, true, "not monotonic"));
      }
      return columns;
    }

    List<Expression> values() {
      return fields(1, 3);
    }

    List<Expression> thresholds() {
      return fields(2, 4);
    }

    private List<Expression> fields(int atField, int priceField) {
      List<Expression> fields = new ArrayList<>();
      if (at != null) {
        fields.add(field(atField));
      }
      if (price != null) {
        fields.add(field(priceField));
      }
      if (falling != null) {
        fields.add(field(5));
      }
      return fields;
    }

    StructType types() {
      StructType types = new StructType();
      for (Expression threshold : thresholds()) {
        types = types.add("t" + types.length(), threshold.dataType());
      }
      return types;
    }

    LateRowFilter.Setup setup(Path folder, boolean control) {
      return new LateRowFilter.Setup(columns(), types(), control, at == null ? -1 : 0, SHOWN, control ? List.of() : List.of(4),
          folder.resolve("clocks").toUri().toString(), folder.resolve("late").toUri().toString(), "7",
          folder.resolve("nulls").toUri().toString());
    }
  }

  private static Expression field(int field) {
    return new BoundReference(field, SCHEMA.apply(field).dataType(), true);
  }

  /** The semantics, literally: clocks are the largest values of kept rows of earlier steps. */
  private static final class Model {
    private final Declared declared;
    private Long at;
    private Long price;
    private Integer count;
    private int late;
    private int nulls;

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
        } else if (item.must == null) {
          nulls++;
          continue;
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

  private List<Integer> run(Path folder, Declared declared, List<Item> items, int tasks, TaskId of, boolean generated) {
    List<Integer> kept = new ArrayList<>();
    List<Item> inOrder = new ArrayList<>(items);
    if (declared.falling != null) {
      inOrder.sort((a, b) -> Long.compare(a.at == null ? Long.MIN_VALUE : a.at, b.at == null ? Long.MIN_VALUE : b.at));
    }
    int size = inOrder.size() / tasks + 1;
    for (int task = 0; task < tasks; task++) {
      List<Item> its = inOrder.subList(Math.min(task * size, items.size()), Math.min((task + 1) * size, items.size()));
      // Marks arrive separately, from another source.
      for (boolean control : new boolean[] {false, true}) {
        LateRowFilter filter = new LateRowFilter(declared.setup(folder, control));
        Expression admission = new LateRowPredicate(filter, declared.values(), declared.thresholds(),
            control ? List.of() : List.of(field(6)), new CreateNamedStruct(CollectionConverters.asScala(List.<Expression>of(
            name("N"), field(0), name("AT"), field(1), name("PRICE"), field(3), name("COUNT"), field(5), name("MUST"),
            field(6))).toSeq()));
        List<Item> some = its.stream().filter(item -> control == (item.mark != null)).toList();
        if (some.isEmpty()) {
          continue;
        }
        filter.open(new TaskId(of.batch(), control ? tasks + task : task, of.run()));
        BasePredicate passes = generated ? GeneratePredicate.generate(admission, false) : null;
        for (Item item : some) {
          InternalRow row = declared.row(item);
          if (generated ? passes.eval(row) : (Boolean) admission.eval(row)) {
            kept.add(item.n);
          }
        }
        filter.close();
      }
    }
    kept.sort(null);
    return kept;
  }

  private static Expression name(String name) {
    return Literal.create(name, DataTypes.StringType);
  }

  private static <T> T maybe(Random random, T value) {
    return random.nextInt(12) == 0 ? null : value;
  }

  private static long count(Path folder, String run) throws Exception {
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
      boolean generated = random.nextBoolean();
      Model model = new Model(declared);
      long clock = 1000;
      int n = 0;
      for (long batch = 0; batch < 60; batch++) {
        List<Item> items = new ArrayList<>();
        clock += random.nextInt(30);
        for (int i = random.nextInt(8); i > 0; i--) {
          boolean mark = declared.at != null && random.nextInt(20) == 0;
          items.add(mark ? new Item(n++, null, null, null, null, clock - 20)
              : new Item(n++, maybe(random, clock - random.nextInt(60)), maybe(random, clock * 10 - random.nextInt(600)),
                  maybe(random, (int) ((Boolean.TRUE.equals(declared.falling) ? -1 : 1) * (clock + random.nextInt(30)))),
                  maybe(random, "there"), null));
        }
        boolean inOrder = declared.falling != null;
        String what = "seed " + seed + ", batch " + batch;
        if (random.nextInt(4) == 0) {
          // An interrupted run: some of its tasks are done.
          int done = random.nextInt(items.size() + 1);
          run(folder, declared, items.subList(0, inOrder ? items.size() : done), 1, new TaskId(batch, 0, "broken"), generated);
        }
        List<Integer> expected = model.step(items);
        expected.sort(null);
        int tasks = inOrder ? 1 : 1 + random.nextInt(3);
        assertEquals(what, expected, run(folder, declared, items, tasks, new TaskId(batch, 0, "good"), generated));
        Long bound = new ClockFolder(declared.setup(folder, false).folder()).latest().bound();
        assertEquals(what, declared.at == null || model.at == null ? null : Long.valueOf(model.at - declared.at), bound);
      }
      assertEquals("seed " + seed, model.late, count(folder.resolve("late"), "good"));
      assertEquals("seed " + seed, model.nulls, count(folder.resolve("nulls"), "good"));
      try (Stream<Path> left = Files.list(folder.resolve("clocks"))) {
        assertTrue(left.count() < 80);
      }
    }
  }

  /** The cases that the check of rows at a commit has to pass too: {@code tests/unit/streams/test_late_filter.py}. */
  @Test public void passesTheCasesOfBothEngines() throws Exception {
    for (JsonNode given : new ObjectMapper().readTree(Files.readString(Path.of("tests/lateness_cases.json")))) {
      Declared declared = new Declared(number(given.get("at")), number(given.get("price")),
          given.get("falling").isNull() ? null : (Boolean) given.get("falling").booleanValue());
      for (boolean generated : new boolean[] {false, true}) {
        Path folder = files.newFolder().toPath();
        long batch = 0;
        for (JsonNode step : given.get("steps")) {
          List<Item> items = new ArrayList<>();
          for (JsonNode row : step.get("rows")) {
            items.add(new Item(items.size(), number(row.get(0)), number(row.get(1)),
                row.get(2).isNull() ? null : (Integer) row.get(2).intValue(), "", null));
          }
          List<Integer> kept = new ArrayList<>();
          step.get("kept").forEach(index -> kept.add(index.intValue()));
          assertEquals(given.get("name").textValue() + ", step " + batch, kept,
              run(folder, declared, items, 1, new TaskId(batch, 0, "run"), generated));
          batch++;
        }
      }
    }
  }

  private static Long number(JsonNode number) {
    return number.isNull() ? null : (Long) number.longValue();
  }

  @Test public void lateRowsAreShownAndCountedAndOnlySoManyKept() throws Exception {
    Declared declared = new Declared(0L, null, null);
    Path folder = files.newFolder().toPath();
    run(folder, declared, List.of(new Item(0, 3_600_000L, null, null, "", null)), 1, new TaskId(0, 0, "r"), true);
    List<Item> many = new ArrayList<>();
    for (int i = 1; i <= 1500; i++) {
      many.add(new Item(i, 1000L, 250L, null, "x", null));
    }
    assertEquals(List.of(), run(folder, declared, many, 1, new TaskId(1, 0, "r"), true));
    List<String> lines = Files.readAllLines(folder.resolve("late").resolve("1-7-r-0-1500.jsonl"));
    assertEquals(LateRows.MAX_KEPT, lines.size());
    assertEquals("{\"reason\":\"late\",\"row\":{\"N\":\"1\",\"AT\":\"1970-01-01 00:00:01\",\"PRICE\":\"2.50\","
        + "\"COUNT\":null,\"MUST\":\"x\"}}", lines.get(0));
  }
}
