package io.rowtime.plan.rewrite;

import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLambdaRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A query over the elements of one array of the outer row, {@code SELECT outputs FROM UNNEST(array) WHERE condition},
 * as expressions over that row, which need neither state nor a join.
 */
final class Elements {
  /** Returns the elements for which a condition is true; no elements if the array is NULL. */
  private static final SqlFunction FILTER = operator("FILTER_ELEMENTS");
  /** Maps each element to the value of an expression. */
  private static final SqlFunction MAP = operator("MAP_ELEMENTS");
  /** Returns whether a condition holds for any element, in the three-valued logic of IN. */
  private static final SqlFunction ANY = operator("ANY_ELEMENT");

  private static final SqlFunction COUNT = operator("COUNT_ELEMENTS");
  private static final SqlFunction SUM = operator("SUM_ELEMENTS");
  private static final SqlFunction MIN = operator("MIN_ELEMENT");
  private static final SqlFunction MAX = operator("MAX_ELEMENT");

  private final RexBuilder rex;
  /** The elements that satisfy the condition. */
  private final RexNode array;
  private final RexLambdaRef element;
  private final List<RexNode> outputs;

  private Elements(RexBuilder rex, RexNode array, RexLambdaRef element, List<RexNode> outputs) {
    this.rex = rex;
    this.array = array;
    this.element = element;
    this.outputs = outputs;
  }

  private static SqlFunction operator(String name) {
    return new SqlFunction(name, SqlKind.OTHER_FUNCTION, ReturnTypes.ARG0, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION);
  }

  /**
   * Recognizes such a query; returns null for any other.
   *
   * @param row the outer row
   * @param number distinguishes the variables of nested queries
   */
  static Elements of(RelNode query, OuterRow row, int number) {
    if (query instanceof Uncollect uncollect) {
      return ofUncollect(uncollect, row, number);
    }
    boolean known = query instanceof Filter || query instanceof Project;
    Elements below = known ? of(query.getInput(0), row, number) : null;
    if (below == null || !Plans.subQueries(query).isEmpty()) {
      return null;
    }
    if (query instanceof Filter filter) {
      return below.where(below.bind(filter.getCondition(), row));
    }
    List<RexNode> projects = ((Project) query).getProjects();
    return RexOver.containsOver(projects, null) ? null
        : new Elements(below.rex, below.array, below.element, projects.stream().map(e -> below.bind(e, row)).toList());
  }

  private static Elements ofUncollect(Uncollect uncollect, OuterRow row, int number) {
    List<RexNode> collections = Unnesting.collections(uncollect, row);
    if (uncollect.withOrdinality || collections == null || collections.size() != 1) {
      return null;
    }
    RexNode array = collections.get(0);
    RelDataType type = array.getType().getComponentType();
    if (array.getType().getSqlTypeName() != SqlTypeName.ARRAY || type == null) {
      return null;
    }
    RexBuilder rex = uncollect.getCluster().getRexBuilder();
    RexLambdaRef element = new RexLambdaRef(0, "element" + number, type);
    List<RexNode> outputs = new ArrayList<>();
    if (type.isStruct()) {
      type.getFieldList().forEach(field -> outputs.add(rex.makeFieldAccess(element, field.getIndex())));
    } else {
      outputs.add(element);
    }
    return outputs.size() == uncollect.getRowType().getFieldCount() ? new Elements(rex, array, element, outputs) : null;
  }

  /** Returns the array of the elements that satisfy the condition; empty if there are none. */
  RexNode array() {
    return array;
  }

  /** Restricts the elements to those that satisfy a condition. */
  Elements where(RexNode condition) {
    return condition.isAlwaysTrue() ? this : new Elements(rex, call(FILTER, notNull(array.getType()), condition), element, outputs);
  }

  /** Converts an expression of the query to one over the element and the outer row. */
  private RexNode bind(RexNode expression, OuterRow row) {
    return row.inline(expression, ref -> {
      RexNode output = outputs.get(ref.getIndex());
      return SqlTypeUtil.equalSansNullability(rex.getTypeFactory(), output.getType(), ref.getType()) ? output
          : rex.makeAbstractCast(ref.getType(), output, false);
    });
  }

  RexNode output(int index) {
    return outputs.get(index);
  }

  /** Returns whether the condition holds for any element: TRUE, FALSE, or NULL if unknown. */
  RexNode any(RexNode condition) {
    return call(ANY, rex.getTypeFactory().createTypeWithNullability(rex.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN), true), condition);
  }

  /** Returns the array of the values of an output. */
  RexNode map(int index) {
    RelDataTypeFactory types = rex.getTypeFactory();
    return outputs.get(index).equals(element) && !array.getType().isNullable() ? array
        : call(MAP, types.createArrayType(outputs.get(index).getType(), -1), outputs.get(index));
  }

  /**
   * Returns an aggregate of the elements, of type {@code type}; null if it cannot be computed like this.
   *
   * @param argument the output that is the argument; -1 for none
   */
  RexNode aggregate(SqlKind kind, int argument, RelDataType type) {
    return switch (kind) {
      case COUNT -> {
        Elements counted = argument < 0 ? this : where(rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, outputs.get(argument)));
        yield rex.makeCall(type, COUNT, List.of(counted.array));
      }
      case SUM -> rex.makeCall(type, SUM, List.of(map(argument)));
      case MIN -> rex.makeCall(type, MIN, List.of(map(argument)));
      case MAX -> rex.makeCall(type, MAX, List.of(map(argument)));
      default -> null;
    };
  }

  private RexNode call(SqlFunction operator, RelDataType type, RexNode body) {
    return rex.makeCall(type, operator, List.of(array, rex.makeLambdaCall(body, List.of(element))));
  }

  private RelDataType notNull(RelDataType type) {
    return rex.getTypeFactory().createTypeWithNullability(type, false);
  }
}
