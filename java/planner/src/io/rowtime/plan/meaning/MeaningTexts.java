package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Meaning;
import io.rowtime.plan.node.Meaning.Role;
import io.rowtime.plan.node.NoMeaning;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.Operator.HopKey;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.SortKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Says what an operator means: each component of its record that matters as a text in which nothing is left of the numbers
 * of columns.
 *
 * @param left what the columns of the first input are
 * @param right those of the second input (the same if there is one)
 * @param all those of both
 * @param names the names of the node's own columns
 * @param functions receives the code of user-defined functions
 */
record MeaningTexts(List<NormalForm> left, List<NormalForm> right, List<NormalForm> all, List<String> names, Set<String> functions) {
  private static final Map<Class<?>, List<Part>> PARTS = new ConcurrentHashMap<>();

  /** A component that matters. */
  private record Part(RecordComponent component, Meaning meaning) {
    Object of(Record record) {
      try {
        return component.getAccessor().invoke(record);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns the texts of the components of an operator that matter, by the words for them. */
  Map<String, String> of(Operator operator) {
    Map<String, String> texts = new LinkedHashMap<>();
    parts(operator.getClass()).stream().filter(part -> !part.meaning.optional() || part.of((Record) operator) != null)
        .forEach(part -> texts.put(part.meaning.value(), text(part, (Record) operator)));
    return texts;
  }

  /**
   * Returns the components of a record that matter.
   *
   * @throws IllegalStateException if one does not say whether it matters
   */
  private static List<Part> parts(Class<?> type) {
    return PARTS.computeIfAbsent(type, any -> {
      List<Part> parts = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        Meaning meaning = component.getAnnotation(Meaning.class);
        if (meaning != null) {
          parts.add(new Part(component, meaning));
        } else if (!component.isAnnotationPresent(NoMeaning.class)) {
          throw new IllegalStateException("The component '" + component.getName() + "' of " + type.getSimpleName()
              + " does not say whether saved state depends on it: it needs @Meaning or @NoMeaning");
        }
      }
      return parts;
    });
  }

  private String text(Part part, Record record) {
    Object value = part.of(record);
    return value == null && part.component.getType() == List.class ? "null" : text(value, part.meaning.role(), part.meaning.unordered());
  }

  private String text(Object value, Role role, boolean unordered) {
    if (value instanceof List<?> list && role != Role.VALUE) {
      return list(list, role, unordered);
    }
    return switch (role) {
      case VALUE, VALUES -> ValueTexts.of(value);
      case COLUMN -> column(value, left);
      case RIGHT_COLUMN -> column(value, right);
      case COLUMN_NAME -> value == null ? "none" : left.get(names.indexOf((String) value)).text();
      case EXPRESSION -> expression(value, all);
      case LEFT_EXPRESSION -> expression(value, left);
      case RIGHT_EXPRESSION -> expression(value, right);
      case CONDITION -> new NormalExpressions(all, functions).conjuncts((Expression) value).map(NormalForm::text).sorted().distinct()
          .collect(Collectors.joining(" AND "));
      case PART -> value instanceof GroupCall call ? call(call) : value instanceof OverWindow.OverCall call ? call(call) : part((Record) value);
    };
  }

  private String list(List<?> values, Role role, boolean unordered) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(text(value, role, unordered)));
    if (unordered && values.stream().noneMatch(List.class::isInstance)) {
      texts.sort(null);
    }
    return String.join(", ", texts);
  }

  /** Returns the text of a part of an operator: its components by name. */
  String part(Record value) {
    if (value == null) {
      return "null";
    }
    Map<String, String> texts = new TreeMap<>();
    parts(value.getClass()).forEach(part -> texts.put(part.component.getName(), text(part, value)));
    return texts.entrySet().stream().map(text -> text.getKey() + " " + text.getValue()).collect(Collectors.joining("; ", "(", ")"));
  }

  String window(OverWindow window) {
    return part(window);
  }

  String call(GroupCall call) {
    String args = call.args().stream().map(arg -> column(arg, left)).collect(Collectors.joining(", "));
    StringBuilder text = new StringBuilder(call.function()).append(call.distinct() ? "(DISTINCT " : "(").append(args).append(')');
    text.append(call.order().isEmpty() ? "" : " ORDER BY " + order(call.order()));
    text.append(call.filter() == null ? "" : " FILTER " + column(call.filter(), left)).append(call.ofSet() ? " OF SET" : "");
    text.append(call.mergedBy() == null ? "" : " MERGED BY " + call.mergedBy());
    return typed(text, call.type(), call.nullable());
  }

  String call(OverWindow.OverCall call) {
    String args = call.args().stream().map(arg -> expression(arg, all)).collect(Collectors.joining(", "));
    StringBuilder text = new StringBuilder(call.function()).append(call.distinct() ? "(DISTINCT " : "(").append(args).append(')');
    return typed(text.append(call.ignoreNulls() ? " IGNORE NULLS" : ""), call.type(), call.nullable());
  }

  private String order(List<SortKey> keys) {
    return list(keys, Role.PART, false);
  }

  private static String typed(StringBuilder text, String type, boolean nullable) {
    return text.append(' ').append(type).append(nullable ? "" : " NOT NULL").toString();
  }

  private String expression(Object expression, List<NormalForm> columns) {
    return expression == null ? "none" : new NormalExpressions(columns, functions).of((Expression) expression).text();
  }

  private static String column(Object index, List<NormalForm> columns) {
    return index == null ? "none" : index instanceof HopKey key ? key.isColumn() ? columns.get(key.column()).text() : key.toString()
        : columns.get((Integer) index).text();
  }
}
