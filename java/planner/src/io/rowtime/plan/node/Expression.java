package io.rowtime.plan.node;

import io.rowtime.plan.clock.ClockStep;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** An expression over the columns of a node's inputs. Types are texts, as in SQL, without nullability. */
public sealed interface Expression {
  /** The expressions that it is computed from. */
  default List<Expression> args() {
    return List.of();
  }

  /** Returns the type of its value; a keyword has none. */
  default String type() {
    throw new IllegalStateException("a keyword has no type");
  }

  /** Returns the same over other arguments. */
  default Expression withArgs(List<Expression> others) {
    return this;
  }

  /** Returns it with other columns for those that it reads. */
  default Expression over(Function<ColumnRef, Expression> columns) {
    return this instanceof ColumnRef ref ? columns.apply(ref) : withArgs(args().stream().map(arg -> arg.over(columns)).toList());
  }

  /** A column, by its number among those of all inputs. */
  record ColumnRef(int index, String type, boolean nullable) implements Expression {}

  /**
   * A constant.
   *
   * @param value null, a Boolean, a number, or a text: numbers that not every reader of JSON keeps exact, times, binary values
   */
  record Constant(Object value, String type, boolean nullable) implements Expression {}

  /**
   * A keyword argument.
   *
   * @param set the set of keywords that it belongs to; null if its word is in no other set
   */
  record Keyword(String word, String set) implements Expression {}

  record Call(String op, List<Expression> args, String type, boolean nullable) implements Expression {
    @Override public Expression withArgs(List<Expression> others) {
      return new Call(op, others, type, nullable);
    }
  }

  record Cast(Expression arg, boolean safe, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(arg);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Cast(others.get(0), safe, type, nullable);
    }
  }

  /** Whether the values of {@code args} are a row of a list of constants, which has the values of one row after the other. */
  record InConstants(List<Expression> args, List<Object> values, String type, boolean nullable) implements Expression {
    @Override public Expression withArgs(List<Expression> others) {
      return new InConstants(others, values, type, nullable);
    }
  }

  /** A call of a user-defined function, with its code. */
  record FunctionCall(String name, String language, String body, boolean deterministic, List<Expression> args, String type,
      boolean nullable) implements Expression {
    @Override public Expression withArgs(List<Expression> others) {
      return new FunctionCall(name, language, body, deterministic, others, type, nullable);
    }
  }

  /** A column of the row of an outer query. */
  record OuterColumn(String name, String correlation, int index, String type, boolean nullable) implements Expression {}

  /** A field of a row. */
  record FieldAccess(String name, Expression row, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(row);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new FieldAccess(name, others.get(0), type, nullable);
    }
  }

  /** A function of an element of a collection. */
  record Lambda(String element, Expression body, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(body);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Lambda(element, others.get(0), type, nullable);
    }
  }

  /** The element to which a {@link Lambda} is applied. */
  record Element(String name, String type, boolean nullable) implements Expression {}

  /** A column that rows carry though it is not among their fields. */
  record Carried(What what, String type, boolean nullable) implements Expression {
    public enum What {
      /** ROWTIME. */
      ROWTIME,
      /** The number of a row in order of arrival. */
      ARRIVAL,
      /** The number of a copy, see {@link Execution.Input}. */
      COPY,
      /** How often a row of a result that changes is added (above 0) or retracted (below 0). */
      CHANGE
    }
  }

  /** A value in another type of the same kind, by Spark's own conversion. */
  record Conversion(Expression value, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(value);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Conversion(others.get(0), type, nullable);
    }
  }

  /** A value such that equal ones have the same bytes: an approximate number has two zeros and many NaN, and the entries of a MAP have no order. */
  record Key(Expression value, String type, boolean nullable) implements Expression {
    private static final Pattern APPROXIMATE = Pattern.compile("REAL|FLOAT|DOUBLE");
    private static final Pattern MANY_FORMS = Pattern.compile("\\b(" + APPROXIMATE + "|MAP)\\b");

    /** Returns whether equal values of a type may have different bytes. A field of a row with the name of such a type does no harm. */
    public static boolean hasManyForms(String type) {
      return MANY_FORMS.matcher(type).find();
    }

    /** Returns whether the type is an approximate number. */
    public static boolean isApproximate(String type) {
      return APPROXIMATE.matcher(type).matches();
    }

    @Override public List<Expression> args() {
      return List.of(value);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Key(others.get(0), type, nullable);
    }
  }

  /** The average that follows from a sum and a count. */
  record Average(Expression total, Expression count, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(total, count);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Average(others.get(0), others.get(1), type, nullable);
    }
  }

  /** The least watermark at which a bound reaches a time, where {@code clock} leads from the bound of the sources to it. */
  record Reached(Expression time, List<ClockStep> clock, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(time);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new Reached(others.get(0), clock, type, nullable);
    }
  }

  /**
   * The TIMESTAMP that is as many microseconds after 1970 as a number counts.
   *
   * @param unit the microseconds of 1
   */
  record CountedTime(Expression number, long unit, String type, boolean nullable) implements Expression {
    @Override public List<Expression> args() {
      return List.of(number);
    }

    @Override public Expression withArgs(List<Expression> others) {
      return new CountedTime(others.get(0), unit, type, nullable);
    }
  }
}
