package io.rowtime.operator.hold;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a task saves of the rows that it holds.
 *
 * @param schema their columns; null if they are those of the operator
 * @param directory that of {@link io.rowtime.state.HeldRows}; null if no rows are held
 */
record SavedRows(StructType schema, byte[] directory) {
  /** A directory begins with its own number, a smaller one. */
  private static final long NAMED = 1000;

  static SavedRows of(byte[] saved) {
    if (saved == null || saved.length == 0) {
      return new SavedRows(null, null);
    }
    ByteBuffer from = ByteBuffer.wrap(saved);
    if (from.getLong() != NAMED) {
      // Without names, or by an earlier version.
      return new SavedRows(null, saved);
    }
    byte[] columns = new byte[from.getInt()];
    from.get(columns);
    StructType schema = (StructType) DataType.fromJson(new String(columns, StandardCharsets.UTF_8));
    return new SavedRows(schema, Arrays.copyOfRange(saved, from.position(), saved.length));
  }

  byte[] toBytes() {
    if (directory == null) {
      return new byte[0];
    }
    if (schema == null) {
      return directory;
    }
    byte[] columns = schema.json().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + columns.length + directory.length)
        .putLong(NAMED).putInt(columns.length).put(columns).put(directory).array();
  }

  /** Returns a projection of rows to other columns, by name: a column that did not exist is NULL. */
  static UnsafeProjection projection(StructType from, StructType to) {
    List<String> names = List.of(from.fieldNames());
    List<Expression> values = Stream.of(to.fields()).map(field -> value(from, names.indexOf(field.name()), field)).toList();
    return UnsafeProjection.create(CollectionConverters.asScala(values).toSeq());
  }

  private static Expression value(StructType from, int index, StructField wanted) {
    if (index < 0) {
      return Literal.create(null, wanted.dataType());
    }
    DataType type = from.apply(index).dataType();
    Expression column = new BoundReference(index, type, true);
    // ALTER only widens types.
    return type.equals(wanted.dataType()) ? column : new Cast(column, wanted.dataType(), Option.apply("UTC"), EvalMode.LEGACY());
  }
}
