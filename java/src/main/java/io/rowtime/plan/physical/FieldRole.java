package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the value of a field of a plan node is, and so how it becomes a text in which nothing is left of numbers of columns. */
interface FieldRole {
  /**
   * The columns that a node's fields refer to: those of its first and its second input (the same if it has one), and those
   * of both; {@code names} are the names of the node's own fields, {@code functions} receives the code of user-defined
   * functions.
   */
  record Scope(List<NormalForm> left, List<NormalForm> right, List<NormalForm> all, List<String> names, Set<String> functions) {}

  /** Returns the text of a value; an absent field has the value {@code null} of JSON. */
  String text(JsonNode value, Scope scope);

  /** Whether the field enters the meaning of its node. */
  default boolean matters() {
    return true;
  }

  /** A value that is its own meaning. */
  FieldRole VALUE = (value, scope) -> value.isTextual() ? value.textValue() : value.toString();
  FieldRole REX = (value, scope) -> expression(value, scope.all(), scope);
  FieldRole LEFT_REX = (value, scope) -> expression(value, scope.left(), scope);
  FieldRole RIGHT_REX = (value, scope) -> expression(value, scope.right(), scope);
  /** The number of a column. */
  FieldRole INDEX = (value, scope) -> column(value, scope.left());
  FieldRole RIGHT_INDEX = (value, scope) -> column(value, scope.right());
  /** The name of a column that the node passes through. */
  FieldRole NAME = (value, scope) -> isAbsent(value) ? "none" : scope.left().get(scope.names().indexOf(value.textValue())).text();
  /** A condition, as its parts in order of their texts. */
  FieldRole CONDITION = (value, scope) -> new NormalExpressions(scope.all(), scope.functions()).conjuncts(value)
      .map(NormalForm::text).sorted().distinct().collect(Collectors.joining(" AND "));
  FieldRole SORT_KEYS = list(object(Map.of("index", INDEX, "direction", VALUE, "nulls", VALUE)));

  /** A field that says nothing about what saved state means, for this reason. */
  record Ignored(String reason) implements FieldRole {
    @Override public String text(JsonNode value, Scope scope) {
      return "";
    }

    @Override public boolean matters() {
      return false;
    }
  }

  static FieldRole ignored(String reason) {
    return new Ignored(reason);
  }

  /** An array of values, in this order. */
  static FieldRole list(FieldRole of) {
    return (value, scope) -> {
      if (value.isNull()) {
        return "null";
      }
      List<String> texts = new ArrayList<>();
      value.forEach(each -> texts.add(of.text(each, scope)));
      return String.join(", ", texts);
    };
  }

  /** An array of values whose order means nothing. */
  static FieldRole unordered(FieldRole of) {
    return (value, scope) -> {
      List<String> texts = new ArrayList<>();
      value.forEach(each -> texts.add(of.text(each, scope)));
      texts.sort(null);
      return String.join(", ", texts);
    };
  }

  /** A part of a node with exactly these fields. */
  static FieldRole object(Map<String, FieldRole> fields) {
    Map<String, FieldRole> inOrder = new TreeMap<>(fields);
    return (value, scope) -> {
      if (value.isNull()) {
        return "null";
      }
      value.fieldNames().forEachRemaining(name -> {
        if (!fields.containsKey(name)) {
          throw undeclared("a part of a node", name);
        }
      });
      return inOrder.entrySet().stream().filter(field -> field.getValue().matters())
          .map(field -> field.getKey() + " " + field.getValue().text(value.path(field.getKey()), scope)).collect(Collectors.joining("; ", "(", ")"));
    };
  }

  /** A call of an aggregate or analytic function, of which {@code parts} are all fields. */
  static FieldRole call(FieldRole parts) {
    return (call, scope) -> {
      // It refuses fields that are not declared.
      parts.text(call, scope);
      List<String> args = new ArrayList<>();
      call.get("args").forEach(arg -> args.add(arg.isInt() ? INDEX.text(arg, scope) : REX.text(arg, scope)));
      StringBuilder text = new StringBuilder(call.get("function").textValue()).append(call.get("distinct").booleanValue() ? "(DISTINCT " : "(")
          .append(String.join(", ", args)).append(')');
      text.append(call.path("order").isEmpty() ? "" : " ORDER BY " + SORT_KEYS.text(call.get("order"), scope));
      text.append(call.path("filter").isInt() ? " FILTER " + INDEX.text(call.get("filter"), scope) : "");
      text.append(call.path("ofSet").booleanValue() ? " OF SET" : "").append(call.path("ignoreNulls").booleanValue() ? " IGNORE NULLS" : "");
      text.append(call.has("mergedBy") ? " MERGED BY " + call.get("mergedBy").textValue() : "");
      return text.append(' ').append(call.get("type").textValue()).append(call.get("nullable").booleanValue() ? "" : " NOT NULL").toString();
    };
  }

  /** Returns the error that names a field of which nobody has said how it enters the meaning of a plan. */
  static IllegalStateException undeclared(String where, String field) {
    return new IllegalStateException("NodeFields does not declare the field '" + field + "' of " + where
        + ": say what it is, or why it does not matter to saved state");
  }

  private static String expression(JsonNode rex, List<NormalForm> columns, Scope scope) {
    return isAbsent(rex) ? "none" : new NormalExpressions(columns, scope.functions()).of(rex).text();
  }

  private static String column(JsonNode index, List<NormalForm> columns) {
    return isAbsent(index) ? "none" : index.isInt() ? columns.get(index.intValue()).text() : index.asText();
  }

  private static boolean isAbsent(JsonNode value) {
    return value.isNull() || value.isMissingNode();
  }
}
