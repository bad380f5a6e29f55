package io.rowtime.lateness;

import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Removes late rows from DataFrames, called from Python. */
public final class Lateness {
  private Lateness() {}

  /**
   * Removes late rows, by the largest values of earlier micro-batches, and sets them aside.
   *
   * @param rows a streaming DataFrame
   * @param values the names of the columns that decide which rows are late
   * @param thresholds for each of them the name of the column with its value minus its lateness; of the same type
   * @param falling for each of them whether its values decrease
   * @param eachRow for each of them whether a row counts for the next row of its batch, so that their order matters:
   *     see {@link #inOrder}
   * @param reasons for each of them the reason why a row is refused
   * @param control whether these are control rows, which advance clocks and are never late
   * @param clock the index of the column of {@code thresholds} (a TIMESTAMP) that is the bound of the rows, or -1
   * @param names the user-visible names of the first columns, for the late rows that are set aside
   * @param folder the folder of the clocks, as a URI; empty for a new query
   * @param aside the folder for late rows that are set aside, as a URI
   * @param node the state name of the plan node
   * @param required the names of columns that are NOT NULL, but may still contain NULL
   * @param nulls the folder for rows that have NULL in them, as a URI
   * @param mark the name of the column that is not NULL in control rows mixed with data rows, or empty if there are
   *     none; the values of such a row are NULL
   * @return the same columns
   */
  public static Dataset<Row> filter(Dataset<Row> rows, List<String> values, List<String> thresholds,
      List<Boolean> falling, List<Boolean> eachRow, List<String> reasons, boolean control, int clock,
      List<String> names, String folder, String aside, String node, List<String> required, String nulls, String mark) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    List<Attribute> output = CollectionConverters.asJava(plan.output());
    Map<String, Expression> byName = new HashMap<>();
    output.forEach(attribute -> byName.put(attribute.name(), attribute));
    List<LatenessColumn> columns = new ArrayList<>();
    StructType types = new StructType();
    for (int i = 0; i < values.size(); i++) {
      columns.add(new LatenessColumn(falling.get(i), eachRow.get(i), reasons.get(i)));
      types = types.add(thresholds.get(i), byName.get(thresholds.get(i)).dataType());
    }
    StructType shown = new StructType();
    List<Expression> parts = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      shown = shown.add(names.get(i), output.get(i).dataType());
      parts.add(Literal.create(names.get(i), DataTypes.StringType));
      parts.add(output.get(i));
    }
    List<String> stored = output.stream().map(Attribute::name).toList();
    List<String> checked = control ? List.of() : required;
    LateRowFilter filter = new LateRowFilter(new LateRowFilter.Setup(columns, types, control, clock, shown,
        checked.stream().map(stored::indexOf).toList(), folder, aside, node, nulls));
    Expression admission = new LateRowPredicate(filter, values.stream().map(byName::get).toList(),
        thresholds.stream().map(byName::get).toList(),
        checked.stream().map(name -> unless(byName.get(mark), byName.get(name))).toList(),
        new CreateNamedStruct(CollectionConverters.asScala(parts).toSeq()));
    return Frames.of(rows.sparkSession(), new Filter(admission, plan));
  }

  /** Returns an expression that is NULL if {@code required} is, but never in a control row. */
  private static Expression unless(Expression mark, Expression required) {
    if (mark == null) {
      return required;
    }
    Expression fits = new Or(new IsNotNull(mark), new IsNotNull(required));
    return new If(fits, Literal.create(true, DataTypes.BooleanType), Literal.create(null, DataTypes.BooleanType));
  }

  /**
   * Returns the rows of each micro-batch in one task, sorted by a TIMESTAMP column (NULL first), then in arrival order.
   */
  public static Dataset<Row> inOrder(Dataset<Row> rows, String time) {
    Encoder<InternalRow> encoder = InternalRows.encoder(rows.schema());
    TimeOrder order = new TimeOrder(rows.schema(), rows.schema().fieldIndex(time));
    return rows.coalesce(1).as(encoder).mapPartitions(order, encoder).toDF();
  }
}
