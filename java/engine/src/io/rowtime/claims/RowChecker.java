package io.rowtime.claims;

import io.rowtime.operator.spec.ClaimsSpec;
import io.rowtime.operator.spec.ClaimsSpec.ClaimedOrder;
import io.rowtime.operator.spec.ClaimsSpec.ConstantValue;
import io.rowtime.operator.spec.ClaimsSpec.UniqueRows;
import io.rowtime.operator.spec.ClaimsSpec.WatermarkLimit;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Checks the rows of one node. Each task has its own copy, which opens with its first row. */
public final class RowChecker implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ClaimsSpec spec;
  private final StructType types;
  private transient Evaluation task;
  private transient NodeRecord record;
  private transient long watermark;
  private transient long announced;
  private transient int rowtime;
  private transient BigDecimal[] earlier;
  private transient BigDecimal[] furthest;
  private transient List<UnsafeProjection> keys;
  private transient int[] required;
  private transient List<UnsafeProjection> partitions;
  private transient List<UnsafeProjection> constants;
  private transient int[] limits;
  private transient int[] orders;

  /** @param types the columns of the rows: those that claims are about, then the limits */
  RowChecker(ClaimsSpec spec, StructType types) {
    this.spec = spec;
    this.types = types;
  }

  /**
   * Checks a row.
   *
   * @throws ClaimViolation if it contradicts a claim
   */
  public void check(InternalRow row) {
    if (task == null) {
      TaskContext context = TaskContext.get();
      open(Evaluation.of(context, spec.checkpoint() != null));
      if (context != null) {
        context.addTaskCompletionListener(ended -> {
          if (!ended.isFailed() && !ended.isInterrupted()) {
            close();
          }
        });
      }
    }
    for (int field : required) {
      if (row.isNullAt(field)) {
        throw violation(name(field) + " is NOT NULL", row);
      }
    }
    for (int i = 0; i < limits.length; i++) {
      if (!row.isNullAt(limits[i]) && row.getLong(limits[i]) <= watermark) {
        WatermarkLimit limit = spec.limits().get(i);
        throw violation(limit.claim() + " (batch " + task.batch() + ")", row);
      }
    }
    BigDecimal time = rowtime < 0 || announced == Long.MIN_VALUE ? null : OrderedValue.of(row, rowtime, types.apply(rowtime).dataType());
    if (time != null && time.longValue() < announced) {
      throw violation(name(rowtime) + " is not before a bound that the query has announced (batch " + task.batch() + ")", row);
    }
    for (int i = 0; i < orders.length; i++) {
      checkOrder(i, row);
    }
    for (int i = 0; i < keys.size() && task.isTask(); i++) {
      UniqueRows claim = spec.unique().get(i);
      long rows = record.add(i, keys.get(i).apply(row).copy(), task);
      if (rows > claim.rows()) {
        throw violation("at most " + claim.rows() + (claim.rows() == 1 ? " row has" : " rows have") + " the same values of (" + names(claim.columns()) + ")", row);
      }
    }
    for (int i = 0; i < constants.size(); i++) {
      ConstantValue claim = spec.constants().get(i);
      // As with every order, a NULL says nothing about the column.
      if (claim.of().isEmpty() && row.isNullAt(types.fieldIndex(claim.column()))) {
        continue;
      }
      if (record.other(i, partitions.get(i).apply(row).copy(), constants.get(i).apply(row).copy()) != null) {
        throw violation(claim.name() + (claim.of().isEmpty() ? " is constant" : " is the same in all rows with the same values of ("
            + names(claim.of()) + ")"), row);
      }
    }
  }

  private void checkOrder(int order, InternalRow row) {
    BigDecimal value = OrderedValue.of(row, orders[order], types.apply(orders[order]).dataType());
    if (value == null) {
      return;
    }
    ClaimedOrder claim = spec.orders().get(order);
    BigDecimal before = earlier[order];
    if (before != null) {
      BigDecimal disorder = BigDecimal.valueOf(claim.disorder());
      BigDecimal least = claim.decreasing() ? before.add(disorder) : before.subtract(disorder);
      boolean repeats = claim.strict() && claim.disorder() == 0 && value.compareTo(before) == 0;
      if (repeats || record.isBehind(order, value, least)) {
        DataType type = types.apply(orders[order]).dataType();
        String direction = (claim.strict() ? "strictly " : "") + (claim.decreasing() ? "decreases" : "increases");
        String within = claim.disorder() == 0 ? "" : ", with a disorder of at most " + OrderedValue.distance(claim.disorder(), type);
        throw violation(name(orders[order]) + " " + direction + within + ", but " + OrderedValue.text(value, type) + " follows "
            + OrderedValue.text(before, type) + " of an earlier batch (batch " + task.batch() + ")", row);
      }
    }
    if (furthest[order] == null || record.isBehind(order, furthest[order], value)) {
      furthest[order] = value;
    }
  }

  private void open(Evaluation of) {
    boolean[] decreasing = new boolean[spec.orders().size()];
    orders = new int[decreasing.length];
    for (int i = 0; i < decreasing.length; i++) {
      decreasing[i] = spec.orders().get(i).decreasing();
      orders[i] = types.fieldIndex(spec.orders().get(i).column());
    }
    required = spec.required().stream().mapToInt(types::fieldIndex).toArray();
    limits = spec.limits().stream().mapToInt(limit -> types.fieldIndex(limit.column())).toArray();
    keys = spec.unique().stream().map(claim -> projection(claim.columns())).toList();
    partitions = spec.constants().stream().map(claim -> projection(claim.of())).toList();
    constants = spec.constants().stream().map(claim -> projection(List.of(claim.column()))).toList();
    record = NodeRecords.of(spec.toString(), () -> new NodeRecord(decreasing));
    earlier = record.before(of);
    furthest = new BigDecimal[earlier.length];
    watermark = limits.length == 0 ? Long.MIN_VALUE : EarlierWatermark.before(spec.checkpoint(), of.batch());
    rowtime = spec.rowtime() == null ? -1 : types.fieldIndex(spec.rowtime());
    announced = rowtime < 0 ? Long.MIN_VALUE : AnnouncedBounds.before(spec.query(), of.batch());
    task = of;
  }

  private void close() {
    record.finish(task, furthest);
  }

  private UnsafeProjection projection(List<String> columns) {
    List<Expression> parts = new ArrayList<>();
    for (String column : columns) {
      int field = types.fieldIndex(column);
      parts.add(new BoundReference(field, types.apply(field).dataType(), true));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(parts).toSeq());
  }

  private String names(List<String> columns) {
    return String.join(", ", columns.stream().map(column -> name(types.fieldIndex(column))).toList());
  }

  private String name(int field) {
    return spec.columns().get(field).name();
  }

  private ClaimViolation violation(String claim, InternalRow row) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < spec.columns().size(); i++) {
      Expression text = new Cast(new BoundReference(i, types.apply(i).dataType(), true), DataTypes.StringType, Option.apply("UTC"), EvalMode.TRY());
      Object value = text.eval(row);
      shown.add(name(i) + " = " + (value == null ? "NULL" : value.toString().replaceAll("\\R", " ")));
    }
    return new ClaimViolation(spec.node(), claim, String.join(", ", shown));
  }
}
