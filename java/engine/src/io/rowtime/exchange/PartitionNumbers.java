package io.rowtime.exchange;

import io.rowtime.spark.Generated;
import io.rowtime.spark.JavaExpression;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The numbers of the query's shuffle partitions, from 0; read at the same time as for {@link PartitionKey}, for the
 * same reason.
 */
public final class PartitionNumbers extends JavaExpression {
  private static final long serialVersionUID = 1L;

  public PartitionNumbers() {
    super(List.of());
  }

  private static UnsafeArrayData numbers() {
    return UnsafeArrayData.fromPrimitiveArray(IntStream.range(0, Partitions.count()).toArray());
  }

  @Override public Object eval(InternalRow row) {
    return numbers();
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    String its = context.addReferenceObj("numbers", numbers(), UnsafeArrayData.class.getName());
    String numbers = context.freshName("numbers");
    return Generated.value("\n" + UnsafeArrayData.class.getName() + " " + numbers + " = " + its + ";\n", numbers, UnsafeArrayData.class);
  }

  @Override public DataType dataType() {
    return DataTypes.createArrayType(DataTypes.IntegerType, false);
  }

  @Override protected Expression over(List<Expression> others) {
    return this;
  }

  @Override public String prettyName() {
    return "partition_numbers";
  }
}
