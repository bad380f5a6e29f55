package io.rowtime.state;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoder;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import scala.collection.immutable.Seq;

/**
 * An encoder that is resolved once in each thread. Spark resolves the encoders of state in each task of each micro-batch,
 * with an analyzer of its own, which takes a quarter of the time of a task with one row.
 */
final class ReusedEncoder<T> extends ExpressionEncoder<T> {
  private static final long serialVersionUID = 1L;
  /** Not shared by threads: expressions that are interpreted keep the arguments of the calls that they make. */
  private static final ThreadLocal<Map<AgnosticEncoder<?>, ExpressionEncoder<?>>> RESOLVED = ThreadLocal.withInitial(HashMap::new);

  private ReusedEncoder(ExpressionEncoder<T> encoder) {
    super(encoder.encoder(), encoder.objSerializer(), encoder.objDeserializer());
  }

  /** Returns an encoder for the same values in the same form; {@code encoder} is one of Spark's {@code Encoders}. */
  static <T> ReusedEncoder<T> of(Encoder<T> encoder) {
    return new ReusedEncoder<>(ExpressionEncoder$.MODULE$.apply((AgnosticEncoder<T>) encoder));
  }

  @SuppressWarnings("unchecked")
  @Override public ExpressionEncoder<T> resolveAndBind(Seq<Attribute> columns, Analyzer analyzer) {
    if (!DataTypeUtils.fromAttributes(columns).equals(schema())) {
      return super.resolveAndBind(columns, analyzer);
    }
    Map<AgnosticEncoder<?>, ExpressionEncoder<?>> resolved = RESOLVED.get();
    ExpressionEncoder<?> found = resolved.get(encoder());
    if (found == null) {
      found = super.resolveAndBind(columns, analyzer);
      resolved.put(encoder(), found);
    }
    return (ExpressionEncoder<T>) found;
  }
}
