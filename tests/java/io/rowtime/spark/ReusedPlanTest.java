package io.rowtime.spark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.CurrentTime;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.NoopCache$;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;

/** A step of planning is done again unless the plan differs from the one before only in the files of its streams. */
public class ReusedPlanTest {
  private static final StructType COLUMNS = new StructType().add("n", DataTypes.IntegerType);
  private static SparkSession spark;
  private static Seq<AttributeReference> output;
  private static Seq<AttributeReference> otherOutput;

  private final ReusedPlan last = new ReusedPlan();
  private int steps;

  @BeforeClass public static void start() {
    spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
    output = DataTypeUtils.toAttributes(COLUMNS);
    otherOutput = DataTypeUtils.toAttributes(COLUMNS);
  }

  @AfterClass public static void stop() {
    spark.stop();
  }

  @Test public void otherFilesOfAStreamMakeNoOtherPlan() {
    LogicalPlan first = stream(output);
    LogicalPlan second = stream(output);
    assertSame(first, leaf(filtered(filtered(first, 1), 1)));
    made(filtered(first, 1));
    LogicalPlan made = made(filtered(second, 1));
    assertEquals(1, steps);
    assertSame(second, leaf(made));
    assertEquals(filtered(second, 1), made);
  }

  @Test public void anotherExpressionMakesAnotherPlan() {
    made(filtered(stream(output), 1));
    LogicalPlan second = filtered(stream(output), 2);
    assertEquals(second, made(second));
    assertEquals(2, steps);
  }

  @Test public void otherColumnsMakeAnotherPlan() {
    made(new Filter(Literal.TrueLiteral(), stream(output)));
    made(new Filter(Literal.TrueLiteral(), stream(otherOutput)));
    assertEquals(2, steps);
  }

  @Test public void aTableMayHaveOtherRowsOnlyAsAnotherPlan() {
    made(filtered(relation(output, false), 1));
    made(filtered(relation(output, false), 1));
    assertEquals(2, steps);
  }

  @Test public void whatReadsATableOrTheClockIsDoneAgain() {
    LogicalPlan table = relation(otherOutput, false);
    made(union(stream(output), table));
    made(union(stream(output), table));
    assertEquals(2, steps);
    LogicalPlan timed = new Filter(new IsNotNull(new CurrentTime(new Literal(3, DataTypes.IntegerType))), stream(output));
    made(timed);
    made(timed);
    assertEquals(4, steps);
  }

  @Test public void eachStreamGetsItsOwnFiles() {
    made(union(stream(output), stream(otherOutput)));
    LogicalPlan one = stream(output);
    LogicalPlan other = stream(otherOutput);
    LogicalPlan made = made(union(one, other));
    assertEquals(1, steps);
    assertSame(one, made.children().head());
    assertSame(other, made.children().last());
  }

  @Test public void aStreamThatWasReadTwiceIsNotTwoStreams() {
    LogicalPlan both = stream(output);
    made(union(both, both));
    made(union(stream(output), stream(output)));
    assertEquals(2, steps);
  }

  @Test public void aStepThatReadsOtherFilesIsDoneAgain() {
    LogicalPlan others = stream(output);
    assertSame(others, last.made(stream(output), plan -> {
      steps++;
      return others;
    }));
    assertNotSame(others, made(stream(output)));
    assertEquals(2, steps);
  }

  private LogicalPlan made(LogicalPlan plan) {
    return last.made(plan, given -> {
      steps++;
      return given;
    });
  }

  private static LogicalPlan leaf(LogicalPlan plan) {
    return plan.collectLeaves().head();
  }

  private static LogicalPlan filtered(LogicalPlan rows, int above) {
    return new Filter(new GreaterThan(rows.output().head(), new Literal(above, DataTypes.IntegerType)), rows);
  }

  private static LogicalPlan union(LogicalPlan one, LogicalPlan other) {
    return new Union(ScalaSeq.of(List.of(one, other)), false, false);
  }

  private static LogicalPlan stream(Seq<AttributeReference> columns) {
    return relation(columns, true);
  }

  private static LogicalPlan relation(Seq<AttributeReference> columns, boolean streaming) {
    InMemoryFileIndex files = new InMemoryFileIndex(spark, ScalaSeq.of(List.<Path>of()), Map$.MODULE$.empty(), Option.empty(),
        NoopCache$.MODULE$, Option.empty(), Option.empty());
    // Each has files of its own, which Spark compares by their folders: these have none.
    HadoopFsRelation relation = new HadoopFsRelation(files, new StructType(), COLUMNS, Option.empty(), new ParquetFileFormat(),
        Map$.MODULE$.empty(), spark) {
      @Override public boolean equals(Object other) {
        return this == other;
      }

      @Override public int hashCode() {
        return System.identityHashCode(this);
      }
    };
    return new LogicalRelation(relation, columns, Option.empty(), streaming, Option.empty());
  }
}
