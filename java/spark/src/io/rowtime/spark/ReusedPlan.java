package io.rowtime.spark;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * What a step of Spark's planning has made of the plan of a micro-batch. Of the next plan, if it differs from it only in the
 * files of the streams, the step would make the same, and is not done again. This does not hold of all plans: the optimizer
 * reads the clock for the current time, and Delta's rules find the files of a table.
 */
final class ReusedPlan {
  private LogicalPlan given;
  private LogicalPlan made;

  /** Returns what a step makes of a plan. */
  synchronized LogicalPlan made(LogicalPlan plan, UnaryOperator<LogicalPlan> step) {
    if (!dependsOnlyOnFiles(plan)) {
      return step.apply(plan);
    }
    Map<LogicalPlan, LogicalPlan> streams = new IdentityHashMap<>();
    if (given != null && differOnlyInFiles(given, plan, streams)) {
      return replaced(made, streams);
    }
    LogicalPlan result = step.apply(plan);
    // A step that changes how the files are read could depend on what they are.
    boolean reads = knownStreams(plan).containsAll(knownStreams(result));
    given = reads ? plan : null;
    made = reads ? result : null;
    return result;
  }

  /** Returns whether a step reads nothing but the plan itself. */
  private static boolean dependsOnlyOnFiles(LogicalPlan plan) {
    return !plan.containsPattern(TreePattern.CURRENT_LIKE()) && !plan.containsPattern(TreePattern.PLAN_EXPRESSION())
        && CollectionConverters.asJava(plan.collectLeaves()).stream().allMatch(leaf -> isStream(leaf) || leaf instanceof LocalRelation
            || leaf instanceof LogicalRelation table && table.relation() instanceof CountedBatch);
  }

  /**
   * Returns whether two plans differ only in the files of their streams.
   *
   * @param streams gets the streams of the second plan by those of the first
   */
  private static boolean differOnlyInFiles(LogicalPlan one, LogicalPlan other, Map<LogicalPlan, LogicalPlan> streams) {
    if (isStream(one)) {
      LogicalPlan known = streams.putIfAbsent(one, other);
      return isStream(other) && areLike((LogicalRelation) one, (LogicalRelation) other) && (known == null || known == other);
    }
    if (one.getClass() != other.getClass() || one.productArity() != other.productArity()) {
      return false;
    }
    List<LogicalPlan> below = CollectionConverters.asJava(one.children());
    List<LogicalPlan> otherBelow = CollectionConverters.asJava(other.children());
    if (below.size() != otherBelow.size()) {
      return false;
    }
    for (int i = 0; i < one.productArity(); i++) {
      Object argument = one.productElement(i);
      if (!isChild(argument, below) && !Objects.equals(argument, other.productElement(i))) {
        return false;
      }
    }
    for (int i = 0; i < below.size(); i++) {
      if (!differOnlyInFiles(below.get(i), otherBelow.get(i), streams)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether an argument of a node is one, or all, of its children. */
  private static boolean isChild(Object argument, List<LogicalPlan> children) {
    if (argument instanceof scala.collection.Seq<?> several) {
      return !children.isEmpty() && several.length() == children.size() && several.head() == children.get(0);
    }
    return argument instanceof LogicalPlan && children.stream().anyMatch(child -> child == argument);
  }

  private static boolean isStream(LogicalPlan plan) {
    return plan instanceof LogicalRelation relation && relation.isStreaming() && relation.relation() instanceof HadoopFsRelation;
  }

  private static boolean areLike(LogicalRelation one, LogicalRelation other) {
    HadoopFsRelation files = (HadoopFsRelation) one.relation();
    HadoopFsRelation others = (HadoopFsRelation) other.relation();
    return one.output().equals(other.output()) && one.catalogTable().equals(other.catalogTable()) && one.stream().equals(other.stream())
        && files.dataSchema().equals(others.dataSchema()) && files.partitionSchema().equals(others.partitionSchema())
        && files.bucketSpec().equals(others.bucketSpec()) && files.fileFormat().getClass() == others.fileFormat().getClass()
        && files.options().equals(others.options());
  }

  /** Returns the streams of a plan, each as the object that it is. */
  private static Set<LogicalPlan> knownStreams(LogicalPlan plan) {
    Set<LogicalPlan> found = Collections.newSetFromMap(new IdentityHashMap<>());
    CollectionConverters.asJava(plan.collectLeaves()).stream().filter(ReusedPlan::isStream).forEach(found::add);
    return found;
  }

  private static LogicalPlan replaced(LogicalPlan plan, Map<LogicalPlan, LogicalPlan> streams) {
    if (plan.children().isEmpty()) {
      return streams.getOrDefault(plan, plan);
    }
    return plan.mapChildren(new AbstractFunction1<LogicalPlan, LogicalPlan>() {
      @Override public LogicalPlan apply(LogicalPlan child) {
        return replaced(child, streams);
      }
    });
  }
}
