package io.rowtime.operator.group;

import io.rowtime.exchange.MapSideOutput;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.operator.spec.GroupingSpec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Rows after a task's partial aggregation. */
final class CombinedRows {
  private final GroupingSpec spec;
  private final StructType schema;

  CombinedRows(GroupingSpec spec, StructType schema) {
    this.spec = spec;
    this.schema = schema;
  }

  private PartialAggregate partial(String id) {
    return new PartialAggregate(id, spec instanceof GroupSpec groups ? groups.calls() : List.of(), spec.combine(), schema);
  }

  /** Returns the columns of the input rows of a task. */
  StructType input() {
    return partial("").input();
  }

  /** Returns the columns of its output. */
  StructType output() {
    return partial("").output();
  }

  /** Returns the output for the rows of one task, in order. */
  Iterator<InternalRow> of(Iterator<? extends InternalRow> rows) {
    PartialAggregate partial = partial("one");
    List<Expression> columns = new ArrayList<>();
    for (StructField field : partial.input().fields()) {
      columns.add(new BoundReference(columns.size(), field.dataType(), field.nullable()));
    }
    PartialAggregateInput input = new PartialAggregateInput(partial, columns);
    Iterator<InternalRow> passing = new Iterator<>() {
      private InternalRow next;

      @Override public boolean hasNext() {
        while (next == null && rows.hasNext()) {
          InternalRow row = rows.next();
          next = (Boolean) input.eval(row) ? row : null;
        }
        return next != null;
      }

      @Override public InternalRow next() {
        InternalRow found = Objects.requireNonNull(hasNext() ? next : null);
        next = null;
        return found;
      }
    };
    return new MapSideOutput("one").call(passing);
  }
}
