package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.Inline;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import scala.jdk.javaapi.CollectionConverters;

/** Java that expressions generate, as Spark takes it. */
public final class Generated {
  private Generated() {}

  /** Statements that leave a value, never NULL, in a variable. */
  public static ExprCode value(String statements, String variable, Class<?> type) {
    // As a piece of code that is inlined: parts of a block would have their escapes processed once more.
    CodeBlock block = new CodeBlock(CollectionConverters.asScala(List.of("", "")).toSeq(),
        CollectionConverters.asScala(List.<JavaCode>of(new Inline(statements))).toSeq());
    return ExprCode.apply(block, FalseLiteral$.MODULE$, JavaCode.variable(variable, type));
  }
}
