package io.rowtime.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedStar;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Parses Spark SQL over the columns of a plan, and resolves what needs no analyzer: columns, constants, and the operators and functions
 * that are listed here, if their operands have the types that they take. Anything else stays as it was parsed, for Spark to analyze.
 */
final class SimpleExpressions {
  /** Functions whose result does not depend on settings. */
  private static final Set<String> FUNCTIONS = Set.of("unix_millis", "timestamp_millis", "spark_partition_id");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private final SparkSession spark;
  /** Null if the columns are not known yet. */
  private final List<Attribute> columns;
  private boolean complete = true;

  /** @param plan an analyzed plan; null if its columns are not known yet */
  SimpleExpressions(SparkSession spark, LogicalPlan plan) {
    this.spark = spark;
    this.columns = plan == null ? null : CollectionConverters.asJava(plan.output());
  }

  /** Returns all columns of the plan. */
  List<NamedExpression> all() {
    complete &= columns != null;
    return columns == null ? List.of(new UnresolvedStar(Option.empty())) : List.copyOf(columns);
  }

  /** Returns an expression, resolved if it is a simple one. Must be called while the session is active. */
  Expression of(String sql) {
    Matcher quoted = QUOTED.matcher(sql);
    if (quoted.matches()) {
      return column(quoted.group(1));
    }
    // Parses it as every other column is.
    Expression parsed = spark.expression(functions.expr(sql));
    Expression resolved = columns == null ? null : resolved(parsed);
    complete &= resolved != null;
    return resolved == null ? parsed : resolved;
  }

  /** Returns a column by its name. */
  Expression column(String name) {
    Attribute found = columns == null ? null : find(name);
    complete &= found != null;
    return found == null ? UnresolvedAttribute.quoted(name) : found;
  }

  /** Returns whether all expressions so far were resolved. */
  boolean areComplete() {
    return complete;
  }

  private Attribute find(String name) {
    Attribute found = null;
    for (Attribute each : columns) {
      if (each.name().equalsIgnoreCase(name)) {
        if (found != null || !each.name().equals(name)) {
          // Spark decides whether the name is ambiguous.
          return null;
        }
        found = each;
      }
    }
    return found;
  }

  /** Returns null if the expression is not a simple one. */
  private Expression resolved(Expression parsed) {
    if (parsed instanceof Literal) {
      return parsed;
    }
    if (parsed instanceof UnresolvedAttribute name) {
      return name.nameParts().size() == 1 ? find(name.nameParts().head()) : null;
    }
    List<Expression> operands = new ArrayList<>();
    for (Expression operand : CollectionConverters.asJava(parsed.children())) {
      Expression resolved = resolved(operand);
      if (resolved == null) {
        return null;
      }
      operands.add(resolved);
    }
    Seq<Expression> all = ScalaSeq.of(operands);
    Expression made = parsed instanceof UnresolvedFunction call ? function(call, all) : isSimple(parsed, operands) ? parsed.withNewChildren(all) : null;
    if (made instanceof Cast cast && cast.timeZoneId().isEmpty()) {
      made = (Expression) cast.withTimeZone(spark.sessionState().conf().sessionLocalTimeZone());
    }
    return made == null || !made.resolved() ? null : made;
  }

  private static Expression function(UnresolvedFunction call, Seq<Expression> operands) {
    if (call.nameParts().size() != 1 || !FUNCTIONS.contains(call.nameParts().head()) || call.isDistinct() || call.filter().isDefined()) {
      return null;
    }
    return (Expression) FunctionRegistry.builtin().lookupFunction(new FunctionIdentifier(call.nameParts().head(), Option.empty(), Option.empty()), operands);
  }

  private static boolean isSimple(Expression parsed, List<Expression> operands) {
    if (parsed instanceof Cast cast) {
      return cast.dataType().equals(DataTypes.TimestampNTZType) && operands.get(0).dataType().equals(DataTypes.TimestampType);
    }
    if (parsed instanceof Add) {
      return operands.stream().allMatch(operand -> operand.dataType().equals(DataTypes.LongType));
    }
    return parsed instanceof Not || parsed instanceof And || parsed instanceof Or || parsed instanceof IsNull || parsed instanceof IsNotNull
        || parsed instanceof LessThan || parsed instanceof GreaterThanOrEqual || parsed instanceof CaseWhen;
  }
}
