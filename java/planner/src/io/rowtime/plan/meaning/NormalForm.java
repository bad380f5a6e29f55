package io.rowtime.plan.meaning;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An expression in normal form: expressions that are equal for all rows have the same text, as far as
 * {@link NormalExpressions} knows. The text contains no number of a column, only what the column is.
 *
 * @param op the operator of a call; {@link #ATOM} for a column, {@link #LITERAL} for a constant
 * @param type the text of the type, without nullability
 * @param number the value of a constant that is a number or a time interval; null otherwise
 */
record NormalForm(String op, String type, List<NormalForm> args, BigDecimal number, String text) {
  static final String ATOM = "";
  static final String LITERAL = "literal";
  /** The operator of a row of a result that changes, whose arguments are its fields. */
  private static final String CHANGED_ROW = "changed row";

  /** Texts are shared by the expressions around them, so a short text bounds the size of all. */
  private static final int LIMIT = 120;

  /** Returns a column, or something else without parts. */
  static NormalForm atom(String text, String type) {
    return new NormalForm(ATOM, type, List.of(), null, Digest.shorten(text, LIMIT));
  }

  static NormalForm literal(BigDecimal number, String type) {
    return new NormalForm(LITERAL, type, List.of(), number, number.toPlainString());
  }

  static NormalForm literal(String text, String type) {
    return new NormalForm(LITERAL, type, List.of(), null, Digest.shorten(text, LIMIT));
  }

  static NormalForm call(String op, String type, List<NormalForm> args) {
    boolean infix = args.size() > 1 && !op.isEmpty() && !Character.isLetter(op.charAt(0)) || op.equals("AND") || op.equals("OR");
    String text = infix ? args.stream().map(NormalForm::text).collect(Collectors.joining(" " + op + " ", "(", ")"))
        : args.stream().map(NormalForm::text).collect(Collectors.joining(", ", op + "(", ")"));
    return new NormalForm(op, type, List.copyOf(args), null, Digest.shorten(text, LIMIT));
  }

  /** Returns CAST, whose type is a part of its meaning. */
  static NormalForm cast(NormalForm arg, String type, boolean safe) {
    String op = safe ? "SAFE_CAST" : "CAST";
    return new NormalForm(op, type, List.of(arg), null, Digest.shorten(op + "(" + arg.text + " AS " + type + ")", LIMIT));
  }

  /** Returns the row that TO_CHANGELOG makes of columns with these names. */
  static NormalForm changedRow(List<String> names, List<NormalForm> columns, String type) {
    return call(CHANGED_ROW, type, IntStream.range(0, names.size())
        .mapToObj(i -> call(access(names.get(i)), columns.get(i).type, List.of(columns.get(i)))).toList());
  }

  /** Returns a field of it as a row. */
  NormalForm field(String name, String type) {
    return (op.equals(CHANGED_ROW) ? args.stream().filter(arg -> arg.is(access(name))).findFirst() : Optional.<NormalForm>empty())
        .map(arg -> atom("changed " + arg.args.get(0).text, type)).orElseGet(() -> call(access(name), type, List.of(this)));
  }

  private static String access(String field) {
    return "." + field;
  }

  /** Returns it without the casts around it. */
  NormalForm withoutCasts() {
    return op.equals("CAST") ? args.get(0).withoutCasts() : this;
  }

  /** Returns it as a column of one of several inputs. */
  NormalForm of(String input) {
    return atom(input + "." + text, type);
  }

  boolean is(String operator) {
    return op.equals(operator);
  }

  boolean isZero() {
    return number != null && number.signum() == 0;
  }

  boolean isOne() {
    return number != null && number.compareTo(BigDecimal.ONE) == 0;
  }

  /** Returns the text with its type, for rows that are stored. */
  String typed() {
    return text + " " + type;
  }
}
