package io.rowtime.plan.rel;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.validate.ProcessFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlLiteral;

/**
 * A user-defined function over a table: it receives the rows of each partition in order of ROWTIME. Output: ROWTIME,
 * the partition columns, and the function's columns.
 */
public final class TableProcess extends SingleRel {
  private final ProcessFunction function;
  private final List<Integer> partition;
  private final List<RexNode> arguments;

  private TableProcess(RelTraitSet traits, RelNode input, ProcessFunction function, List<Integer> partition,
      List<RexNode> arguments, RelDataType rowType) {
    super(input.getCluster(), traits, input);
    this.function = function;
    this.partition = List.copyOf(partition);
    this.arguments = List.copyOf(arguments);
    this.rowType = rowType;
  }

  /**
   * Creates the node for a call in the form that the validator accepts.
   *
   * @param operands the converted operands after the table
   * @throws DiagnosticException if an argument is not constant
   */
  public static TableProcess of(SqlCall call, RelNode input, List<RexNode> operands, RelDataType rowType) {
    ProcessFunction function = (ProcessFunction) call.getOperator();
    List<CatalogColumn> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      RexNode argument = operands.get(i);
      if (!RexUtil.isConstant(argument) || Variation.varies(argument)) {
        throw new DiagnosticException("RT0120", call.operand(i + 1).getParserPosition(), "The argument '" + parameters.get(i).name()
            + "' of " + function.getName() + " must be the same for all rows and in each run", "put values that differ into the table");
      }
    }
    List<Integer> partition = new ArrayList<>();
    for (int i = parameters.size() + 1; i < call.operandCount(); i++) {
      String name = ((SqlLiteral) call.operand(i)).toValue();
      partition.add(ProcessFunction.field(input.getRowType(), name).getIndex());
    }
    return new TableProcess(input.getTraitSet(), input, function, partition, operands.subList(0, parameters.size()), rowType);
  }

  public ProcessFunction function() {
    return function;
  }

  /** Returns the columns of the input by which rows are partitioned. */
  public List<Integer> partition() {
    return partition;
  }

  /** Returns the values of the parameters other than the table, which are constants. */
  public List<RexNode> arguments() {
    return arguments;
  }

  /** Returns the column of the input that is its ROWTIME. */
  public int time() {
    return ProcessFunction.field(input.getRowType(), CatalogObject.ROWTIME).getIndex();
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new TableProcess(traits, inputs.get(0), function, partition, arguments, rowType);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("function", function.getName()).item("partition", partition).item("arguments", arguments);
  }
}
