package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Expression;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Brings the expressions of a plan into normal form: columns are replaced by what they are, operands of commutative
 * operators are sorted, and what has no effect is left out ({@code x + 0}, casts to the same type, double negation).
 */
final class NormalExpressions {
  private static final List<String> INTEGERS = List.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");
  private static final Set<String> COMMUTATIVE = Set.of("+", "*", "=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
  private static final Map<String, String> MIRRORED = Map.of(">", "<", ">=", "<=");
  private static final Map<String, String> NEGATED = Map.of("=", "<>", "<>", "=", "<", ">=", "<=", ">", ">", "<=", ">=", "<",
      "IS NULL", "IS NOT NULL", "IS NOT NULL", "IS NULL");

  private final List<NormalForm> columns;
  private final Set<String> functions;
  private final Map<String, NormalForm> elements = new HashMap<>();

  /**
   * @param columns the columns that the expressions read
   * @param functions receives the code of the user-defined functions that occur
   */
  NormalExpressions(List<NormalForm> columns, Set<String> functions) {
    this.columns = columns;
    this.functions = functions;
  }

  NormalForm of(Expression expression) {
    if (expression instanceof Expression.ColumnRef ref) {
      return columns.get(ref.index());
    }
    if (expression instanceof Expression.Constant constant) {
      return literal(constant.value(), constant.type());
    }
    if (expression instanceof Expression.Keyword keyword) {
      return NormalForm.literal(keyword.word(), "");
    }
    if (expression instanceof Expression.Cast cast) {
      return cast(of(cast.arg()), cast.type(), cast.safe());
    }
    if (expression instanceof Expression.OuterColumn outer) {
      return NormalForm.atom("outer." + outer.name(), outer.type());
    }
    if (expression instanceof Expression.FieldAccess field) {
      return of(field.row()).field(field.name(), field.type());
    }
    if (expression instanceof Expression.FunctionCall function) {
      String code = function.language() + " " + function.body();
      functions.add(code);
      return NormalForm.call(code, function.type(), all(function.args()));
    }
    if (expression instanceof Expression.Lambda lambda) {
      return lambda(lambda);
    }
    if (expression instanceof Expression.InConstants in) {
      return in(all(in.args()), in.values(), in.type());
    }
    if (expression instanceof Expression.Element element) {
      return elements.getOrDefault(element.name(), NormalForm.atom("element " + element.name(), element.type()));
    }
    if (expression instanceof Expression.Call call) {
      return call(call.op(), call.type(), all(call.args()));
    }
    throw new IllegalStateException("There is no normal form of the expression " + expression);
  }

  private NormalForm lambda(Expression.Lambda lambda) {
    NormalForm outer = elements.put(lambda.element(), NormalForm.atom("element " + elements.size(), ""));
    NormalForm body = of(lambda.body());
    if (outer == null) {
      elements.remove(lambda.element());
    } else {
      elements.put(lambda.element(), outer);
    }
    return NormalForm.call("lambda", lambda.type(), List.of(body));
  }

  /** Returns the parts of a condition, all of which must be true for a row to count; without those that always are. */
  Stream<NormalForm> conjuncts(Expression condition) {
    return condition == null ? Stream.empty() : conjuncts(of(condition));
  }

  private static Stream<NormalForm> conjuncts(NormalForm condition) {
    if (condition.is("AND")) {
      return condition.args().stream().flatMap(NormalExpressions::conjuncts);
    }
    // A row counts if the condition is true; NULL is as good as FALSE.
    return condition.is("IS TRUE") ? conjuncts(condition.args().get(0))
        : condition.text().equals("TRUE") ? Stream.empty() : Stream.of(condition);
  }

  /** A list of constants is a set of rows. */
  private static NormalForm in(List<NormalForm> args, List<Object> values, String type) {
    SortedSet<String> rows = new TreeSet<>();
    for (int i = 0; i < values.size(); i += args.size()) {
      rows.add(values.subList(i, i + args.size()).stream().map(ValueTexts::quoted).toList().toString());
    }
    List<NormalForm> parts = new ArrayList<>(args);
    parts.add(NormalForm.literal(rows.toString(), ""));
    return NormalForm.call("IN", type, parts);
  }

  private List<NormalForm> all(List<Expression> args) {
    return args.stream().map(this::of).toList();
  }

  private static NormalForm literal(Object value, String type) {
    if (value == null) {
      return NormalForm.literal("NULL " + type, type);
    }
    String text = value.toString();
    if (type.startsWith("INTERVAL") || INTEGERS.contains(type) || type.startsWith("DECIMAL")) {
      return NormalForm.literal(new BigDecimal(text), type);
    }
    if (type.equals("BOOLEAN")) {
      return NormalForm.literal((Boolean) value ? "TRUE" : "FALSE", type);
    }
    return NormalForm.literal(type.contains("CHAR") ? "'" + text.replace("'", "''") + "'" : text + " " + type, type);
  }

  private static NormalForm cast(NormalForm arg, String type, boolean safe) {
    if (arg.type().equals(type)) {
      return arg;
    }
    boolean integers = INTEGERS.contains(type) && INTEGERS.contains(arg.type());
    if (integers && arg.number() != null && fits(arg.number(), type)) {
      return NormalForm.literal(arg.number(), type);
    }
    boolean widens = integers && INTEGERS.indexOf(type) > INTEGERS.indexOf(arg.type());
    if (widens && arg.is("CAST") && INTEGERS.indexOf(arg.args().get(0).type()) >= 0
        && INTEGERS.indexOf(arg.args().get(0).type()) < INTEGERS.indexOf(arg.type())) {
      return cast(arg.args().get(0), type, false);
    }
    // A cast that cannot fail is the same whatever would happen if it did.
    return NormalForm.cast(arg, type, safe && !widens);
  }

  private static boolean fits(BigDecimal number, String type) {
    int bits = 8 << INTEGERS.indexOf(type);
    return number.toBigInteger().bitLength() < bits;
  }

  private static NormalForm call(String op, String type, List<NormalForm> args) {
    if (MIRRORED.containsKey(op)) {
      return NormalForm.call(MIRRORED.get(op), type, List.of(args.get(1), args.get(0)));
    }
    return switch (op) {
      case "AND", "OR" -> logical(op, type, args);
      case "NOT" -> negated(type, args.get(0));
      case "+", "*" -> arithmetic(op, type, args);
      case "-" -> args.size() == 2 && args.get(1).number() != null && INTEGERS.contains(type)
          ? arithmetic("+", type, List.of(args.get(0), NormalForm.literal(args.get(1).number().negate(), args.get(1).type())))
          : isExact(type) && args.size() == 2 && args.get(1).isZero() ? cast(args.get(0), type, false) : NormalForm.call(op, type, args);
      case "/" -> INTEGERS.contains(type) && args.get(1).isOne() ? cast(args.get(0), type, false)
          : NormalForm.call(op, type, args);
      case "NEGATE" -> args.get(0).is("NEGATE") ? args.get(0).args().get(0) : NormalForm.call(op, type, args);
      case "TIMES_INTERVAL" -> args.stream().allMatch(arg -> arg.number() != null)
          ? NormalForm.literal(args.get(0).number().multiply(args.get(1).number()), type) : NormalForm.call(op, type, args);
      case "DATETIME_PLUS" -> shifted(type, args.get(0), args.get(1), false);
      case "DATETIME_MINUS" -> shifted(type, args.get(0), args.get(1), true);
      default -> NormalForm.call(op, type, COMMUTATIVE.contains(op) ? sorted(args) : args);
    };
  }

  private static NormalForm logical(String op, String type, List<NormalForm> args) {
    List<NormalForm> parts = args.stream().flatMap(arg -> arg.is(op) ? arg.args().stream() : Stream.of(arg))
        .filter(arg -> !arg.text().equals(op.equals("AND") ? "TRUE" : "FALSE")).toList();
    List<NormalForm> distinct = new ArrayList<>();
    for (NormalForm part : sorted(parts)) {
      if (distinct.isEmpty() || !distinct.get(distinct.size() - 1).text().equals(part.text())) {
        distinct.add(part);
      }
    }
    return distinct.isEmpty() ? NormalForm.literal(op.equals("AND") ? "TRUE" : "FALSE", type)
        : distinct.size() == 1 ? distinct.get(0) : NormalForm.call(op, type, distinct);
  }

  private static NormalForm negated(String type, NormalForm arg) {
    if (arg.is("NOT")) {
      return arg.args().get(0);
    }
    return NEGATED.containsKey(arg.op()) ? call(NEGATED.get(arg.op()), type, arg.args()) : NormalForm.call("NOT", type, List.of(arg));
  }

  /** Sums and products of exact numbers: with constants computed, and without those that change nothing. */
  private static NormalForm arithmetic(String op, String type, List<NormalForm> args) {
    if (!isExact(type)) {
      return NormalForm.call(op, type, sorted(args));
    }
    BigDecimal neutral = op.equals("+") ? BigDecimal.ZERO : BigDecimal.ONE;
    List<NormalForm> parts = new ArrayList<>();
    BigDecimal constant = neutral;
    // Only whole numbers have the same type in whatever order they are added.
    boolean whole = INTEGERS.contains(type);
    for (NormalForm arg : args.stream().flatMap(arg -> whole && arg.is(op) && arg.type().equals(type) ? arg.args().stream() : Stream.of(arg))
        .toList()) {
      if (arg.number() != null && (whole || arg.number().compareTo(neutral) == 0)) {
        constant = op.equals("+") ? constant.add(arg.number()) : constant.multiply(arg.number());
      } else {
        parts.add(arg);
      }
    }
    if (parts.isEmpty()) {
      return whole && fits(constant, type) ? NormalForm.literal(constant, type) : NormalForm.call(op, type, sorted(args));
    }
    if (constant.compareTo(neutral) != 0) {
      parts.add(NormalForm.literal(constant, type));
    }
    return parts.size() == 1 ? cast(parts.get(0), type, false) : NormalForm.call(op, type, sorted(parts));
  }

  /** Times shifted by constants: one shift, forwards. */
  private static NormalForm shifted(String type, NormalForm time, NormalForm by, boolean back) {
    String op = "DATETIME_PLUS";
    if (by.number() == null || by.type().contains("MONTH") || by.type().contains("YEAR")) {
      return NormalForm.call(back ? "DATETIME_MINUS" : op, type, List.of(time, by));
    }
    BigDecimal millis = back ? by.number().negate() : by.number();
    NormalForm base = time;
    if (time.is(op) && time.args().get(1).number() != null && time.type().equals(type) && !time.args().get(1).type().contains("MONTH")
        && !time.args().get(1).type().contains("YEAR")) {
      millis = millis.add(time.args().get(1).number());
      base = time.args().get(0);
    }
    return millis.signum() == 0 ? cast(base, type, false)
        : NormalForm.call(op, type, List.of(base, NormalForm.literal(millis, "INTERVAL SECOND")));
  }

  private static boolean isExact(String type) {
    return INTEGERS.contains(type) || type.startsWith("DECIMAL");
  }

  private static List<NormalForm> sorted(List<NormalForm> args) {
    return args.stream().sorted(Comparator.comparing(NormalForm::text)).toList();
  }
}
