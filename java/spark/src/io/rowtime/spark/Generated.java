package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.Inline;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import scala.jdk.javaapi.CollectionConverters;

/** Builds the Java code that expressions generate, in Spark's form. */
public final class Generated {
  private Generated() {}

  /** Returns code whose statements assign a value, never NULL, to a variable. */
  public static ExprCode value(String statements, String variable, Class<?> type) {
    return ExprCode.apply(block(statements), FalseLiteral$.MODULE$, JavaCode.variable(variable, type));
  }

  /** Returns code whose statements declare and assign the two variables of {@code result}. */
  public static ExprCode nullable(String statements, ExprCode result) {
    return ExprCode.apply(block(statements), result.isNull(), result.value());
  }

  private static CodeBlock block(String statements) {
    // As inlined code: escapes in the parts of a block would be processed a second time.
    return new CodeBlock(CollectionConverters.asScala(List.of("", "")).toSeq(),
        CollectionConverters.asScala(List.<JavaCode>of(new Inline(statements))).toSeq());
  }
}
