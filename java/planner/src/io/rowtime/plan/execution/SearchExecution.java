package io.rowtime.plan.execution;

import static io.rowtime.plan.execution.Expressions.column;

import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.SearchFilesSpec;
import io.rowtime.operator.spec.SearchKeySpec;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Expression.ColumnRef;
import io.rowtime.plan.node.Expression.Conversion;
import io.rowtime.plan.node.NodeProperties;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.validate.function.SearchKeyOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * SEARCH_KEY. The operator makes the columns that are read of its input, followed by those that are read of the table. What else rows
 * carry goes past it.
 */
final class SearchExecution {
  private final PlanNode node;
  private final Operator.SearchKey search;
  private final List<Integer> left;
  private final List<Integer> right;
  private final InputColumns columns = new InputColumns(0);

  SearchExecution(PlanNode node, NodeProperties properties) {
    this.node = node;
    this.search = (Operator.SearchKey) node.operator();
    this.left = properties.reads().get(0);
    this.right = properties.reads().get(1);
  }

  Execution execution() {
    left.forEach(index -> columns.add(column(node.input(0), index)));
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < search.keys().size(); i++) {
      String type = node.input(1).columns().get(search.keys().get(i)).type();
      keys.add(columns.add(new Conversion(Expressions.key(search.lookup().get(i), type), type, true)));
    }
    InputColumns table = new InputColumns(1);
    List<SearchKeySpec.Found> found = right.stream().map(index -> new SearchKeySpec.Found(table.add(column(node.input(1), index)),
        node.input(1).columns().get(index).name(), search.columns().get(index).sqlType(), search.columns().get(index).sparkType())).toList();
    List<String> searched = search.keys().stream().map(key -> found.get(right.indexOf(key)).name()).toList();
    List<Expression> outputs = new ArrayList<>();
    for (int i = 0; i < node.columns().size(); i++) {
      int place = place(i);
      String type = node.columns().get(i).type();
      outputs.add(place < 0 ? new Expression.Constant(null, type, true) : new ColumnRef(place, type, true));
    }
    List<Expression> condition = search.condition() == null ? List.of()
        : List.of(search.condition().over(ref -> new ColumnRef(place(ref.index()), ref.type(), ref.nullable())));
    List<Execution.Input> inputs = List.of(new Execution.Input(null, columns.columns(), null), new Execution.Input(null, table.columns(), null));
    return new Execution(List.of(new Execution.Step(inputs, spec(keys, found, searched), condition)), outputs, null, null, null, List.of());
  }

  /** Returns the place of a field among the columns that the operator makes; -1 if it is not read, and so not carried along. */
  private int place(int field) {
    int width = node.input(0).columns().size();
    int number = right.indexOf(field - width);
    return field < width ? left.indexOf(field) : number < 0 ? -1 : left.size() + number;
  }

  private OperatorSpec spec(List<String> keys, List<SearchKeySpec.Found> found, List<String> searched) {
    SearchKeyOptions options = search.options();
    Long ttl = EngineTimes.micros(options.cacheTtl());
    if (search.connector().equals("DELTA")) {
      return new SearchFilesSpec(SearchFilesSpec.JoinType.valueOf(search.joinType().name()), keys, searched, ttl, options.cacheRows(),
          options.cacheMisses());
    }
    return new SearchKeySpec(SearchKeySpec.JoinType.valueOf(search.joinType().name()), keys, found, searched, options.capacity(),
        EngineTimes.micros(options.timeout()), options.batchSize(), options.retries(), EngineTimes.micros(options.delay()), ttl, options.cacheRows(),
        options.cacheMisses());
  }
}
