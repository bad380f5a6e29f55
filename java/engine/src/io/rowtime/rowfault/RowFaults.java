package io.rowtime.rowfault;

import io.rowtime.spark.Frames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Handles errors of values in DataFrames, called from Python. */
public final class RowFaults {
  private RowFaults() {}

  /** A column of a row as users know it: its attribute, and its name. */
  private record Shown(StructType schema, Expression row) {
    static Shown of(Map<String, Attribute> columns) {
      StructType schema = new StructType();
      List<Expression> parts = new ArrayList<>();
      for (Map.Entry<String, Attribute> column : columns.entrySet()) {
        schema = schema.add(column.getKey(), column.getValue().dataType());
        parts.add(Literal.create(column.getKey(), DataTypes.StringType));
        parts.add(column.getValue());
      }
      return new Shown(schema, new CreateNamedStruct(CollectionConverters.asScala(parts).toSeq()));
    }
  }

  /**
   * Lets errors of a projection or a filter name the row.
   *
   * @param rows what {@code select} or {@code filter} returned
   * @param positions the numbers of the columns that can fail; only 0 for a filter
   * @param texts the texts of their expressions
   * @param columns the columns of the input that may be named
   * @param names their user-visible names
   * @param always how many of them, the last ones, are named whether an expression reads them or not
   * @param source the stream of the rows; null if they are computed from several rows
   * @param position the column with the position of a row in its stream; null if there is none
   */
  public static Dataset<Row> named(Dataset<Row> rows, List<Integer> positions, List<String> texts, List<String> columns, List<String> names, int always,
      String source, String position) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    List<Expression> values = values(plan, positions);
    List<Expression> guarded = new ArrayList<>();
    for (int i = 0; i < positions.size(); i++) {
      Map<String, Attribute> shown = new LinkedHashMap<>();
      for (Map.Entry<String, Attribute> column : visible(plan, columns, names).entrySet()) {
        if (values.get(i).references().contains(column.getValue()) || names.lastIndexOf(column.getKey()) >= names.size() - always) {
          shown.put(column.getKey(), column.getValue());
        }
      }
      if (position != null) {
        shown.put(FaultNamer.POSITION, column(plan, position));
      }
      Shown row = Shown.of(shown);
      guarded.add(new NamedFault(new FaultNamer(texts.get(i), source, row.schema()), values.get(i), row.row()));
    }
    return Frames.of(rows.sparkSession(), replaced(plan, positions, guarded));
  }

  /**
   * Sets rows aside for which a projection or a filter has no value.
   *
   * @param rows what {@code select} or {@code filter} returned
   * @param positions the numbers of the columns that can fail; only 0 for a filter
   * @param texts the texts of their expressions
   * @param columns the columns of the input that are set aside
   * @param names their user-visible names
   * @param folder the folder for the rows, as a URI
   * @param node the state name of the plan node
   */
  public static Dataset<Row> setAside(Dataset<Row> rows, List<Integer> positions, List<String> texts, List<String> columns, List<String> names,
      String folder, String node) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    Shown row = Shown.of(visible(plan, columns, names));
    FaultyRows faulty = new FaultyRows(List.copyOf(texts), row.schema(), folder, node);
    LogicalPlan below = new Filter(new FaultFilter(faulty, values(plan, positions), row.row()), plan.children().head());
    return Frames.of(rows.sparkSession(), above(plan, below));
  }

  /**
   * Sets some rows aside for which a projection or a filter has no value: those at some positions in their stream.
   *
   * @param position the column with the position
   * @param at the positions, as texts
   * @see #setAside
   */
  public static Dataset<Row> steppedOver(Dataset<Row> rows, List<Integer> positions, List<String> texts, List<String> columns, List<String> names,
      String folder, String node, String position, List<String> at) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    Attribute place = column(plan, position);
    List<Expression> places = at.stream().map(each -> literal(each, place.dataType())).filter(Objects::nonNull).toList();
    if (places.isEmpty()) {
      return rows;
    }
    Shown row = Shown.of(visible(plan, columns, names));
    FaultyRows faulty = new FaultyRows(List.copyOf(texts), row.schema(), folder, node);
    Expression other = new Not(new In(place, CollectionConverters.asScala(places).toSeq()));
    Expression passes = new Or(other, new FaultFilter(faulty, values(plan, positions), row.row()));
    return Frames.of(rows.sparkSession(), above(plan, new Filter(passes, plan.children().head())));
  }

  /** Returns a position as a literal; null if no position of this type has that text. */
  private static Expression literal(String position, DataType type) {
    if (type instanceof StructType struct) {
      InternalRow parsed = Position.parse(position, struct);
      return parsed == null ? null : new Literal(parsed, type);
    }
    return type.equals(DataTypes.LongType) ? Literal.create(Long.parseLong(position), type) : Literal.create(position, DataTypes.StringType);
  }

  private static LogicalPlan above(LogicalPlan plan, LogicalPlan below) {
    return plan instanceof Filter filter ? new Filter(filter.condition(), below) : new Project(((Project) plan).projectList(), below);
  }

  private static Attribute column(LogicalPlan plan, String name) {
    return CollectionConverters.asJava(plan.children().head().output()).stream().filter(attribute -> attribute.name().equals(name)).findFirst()
        .orElseThrow();
  }

  /**
   * Makes columns of a projection NULL that have no value, and notes the rows.
   *
   * @param rows what {@code select} returned
   * @param positions the numbers of the columns
   * @param texts the texts of their expressions
   * @param columns the columns of the input that are noted
   * @param names their user-visible names
   * @param folder the folder for the rows, as a URI
   * @param node the state name of the plan node
   */
  public static Dataset<Row> nulled(Dataset<Row> rows, List<Integer> positions, List<String> texts, List<String> columns, List<String> names,
      String folder, String node) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    Shown row = Shown.of(visible(plan, columns, names));
    FaultyRows faulty = new FaultyRows(List.copyOf(texts), row.schema(), folder, node);
    List<Expression> values = values(plan, positions);
    List<Expression> nulled = new ArrayList<>();
    for (int i = 0; i < positions.size(); i++) {
      nulled.add(new NulledFault(faulty, i, values.get(i), row.row()));
    }
    return Frames.of(rows.sparkSession(), replaced(plan, positions, nulled));
  }

  private static Map<String, Attribute> visible(LogicalPlan plan, List<String> columns, List<String> names) {
    Map<String, Attribute> byName = new LinkedHashMap<>();
    CollectionConverters.asJava(plan.children().head().output()).forEach(attribute -> byName.put(attribute.name(), attribute));
    Map<String, Attribute> found = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      found.put(names.get(i), byName.get(columns.get(i)));
    }
    return found;
  }

  private static List<Expression> values(LogicalPlan plan, List<Integer> positions) {
    if (plan instanceof Filter filter) {
      return List.of(filter.condition());
    }
    List<NamedExpression> columns = CollectionConverters.asJava(((Project) plan).projectList());
    return positions.stream().map(position -> ((Alias) columns.get(position)).child()).toList();
  }

  private static LogicalPlan replaced(LogicalPlan plan, List<Integer> positions, List<Expression> values) {
    if (plan instanceof Filter filter) {
      return new Filter(values.get(0), filter.child());
    }
    Project project = (Project) plan;
    List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(project.projectList()));
    for (int i = 0; i < positions.size(); i++) {
      Alias alias = (Alias) columns.get(positions.get(i));
      columns.set(positions.get(i), (NamedExpression) alias.withNewChildren(CollectionConverters.asScala(List.of(values.get(i))).toSeq()));
    }
    return new Project(CollectionConverters.asScala(columns).toSeq(), project.child());
  }
}
