package io.rowtime.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.GetColumnByOrdinal;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoder;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** An encoder that passes Spark's rows to an operator unchanged, without making Java objects of their values. */
public final class InternalRows {
  private InternalRows() {}

  /** Returns the encoder of rows with the given columns. A row read through it is valid until the next one is read. */
  public static Encoder<InternalRow> encoder(StructType schema) {
    Expression outer = new BoundReference(0, schema, false);
    Expression column = new GetColumnByOrdinal(0, schema);
    Expression row = new BinaryRow(fields(schema, column));
    return ExpressionEncoder.apply(new Agnostic(schema), struct(schema, outer), row);
  }

  /**
   * Returns an encoder for operators that read rows directly in memory: nothing is copied. Such a row has the grouping
   * columns after the given columns.
   */
  public static Encoder<InternalRow> raw(StructType schema) {
    return ExpressionEncoder.apply(new Agnostic(schema), struct(schema, new BoundReference(0, schema, false)),
        new WholeRow());
  }

  private static List<Expression> fields(StructType schema, Expression from) {
    List<Expression> fields = new ArrayList<>();
    for (int i = 0; i < schema.length(); i++) {
      fields.add(new GetStructField(from, i, Option.empty()));
    }
    return fields;
  }

  private static Expression struct(StructType schema, Expression from) {
    List<Expression> parts = new ArrayList<>();
    List<Expression> fields = fields(schema, from);
    for (int i = 0; i < schema.length(); i++) {
      parts.add(Literal.create(schema.apply(i).name(), DataTypes.StringType));
      parts.add(fields.get(i));
    }
    return new CreateNamedStruct(ScalaSeq.of(parts));
  }

  private static final class Agnostic implements AgnosticEncoder<InternalRow> {
    private static final long serialVersionUID = 1L;
    private final StructType schema;

    Agnostic(StructType schema) {
      this.schema = schema;
    }

    @Override public boolean isPrimitive() {
      return false;
    }

    @Override public boolean nullable() {
      return false;
    }

    @Override public DataType dataType() {
      return schema;
    }

    @Override public StructType schema() {
      return schema;
    }

    @Override public boolean lenientSerialization() {
      return false;
    }

    @Override public boolean isStruct() {
      return true;
    }

    @Override public ClassTag<InternalRow> clsTag() {
      return ClassTag$.MODULE$.apply(InternalRow.class);
    }
  }
}
