package io.rowtime.operator.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads records from JSON strictly. Messages contain the path of the error, such as {@code windows[0].calls[1].type},
 * and no class names.
 */
final class SpecReader {
  private static final Pattern FIRST_LETTER = Pattern.compile("(?:^|_)([a-z])");
  private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final String operator;

  private SpecReader(String operator) {
    this.operator = operator;
  }

  static <T extends OperatorSpec> T read(Class<T> type, String json) {
    SpecReader reader = new SpecReader(OperatorSpec.name(type));
    JsonNode whole = reader.tree(json);
    JsonNode named = whole.path("operator");
    if (!named.isTextual() || !named.textValue().equals(reader.operator)) {
      throw reader.invalid("operator is " + (named.isMissingNode() ? "missing" : named));
    }
    return type.cast(reader.record(type, whole, "", Set.of("operator")));
  }

  static OperatorSpec read(String json) {
    String operator = new SpecReader("").tree(json).path("operator").asText();
    return read(type(operator), json);
  }

  /** Returns the record of the operator with that name, the inverse of {@link OperatorSpec#name}. */
  private static Class<? extends OperatorSpec> type(String operator) {
    String record = FIRST_LETTER.matcher(operator).replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT)) + "Spec";
    try {
      Class<?> type = Class.forName(OperatorSpec.class.getPackageName() + "." + record, false, OperatorSpec.class.getClassLoader());
      if (type.isRecord() && OperatorSpec.class.isAssignableFrom(type) && OperatorSpec.name(type.asSubclass(OperatorSpec.class)).equals(operator)) {
        return type.asSubclass(OperatorSpec.class);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // Said below. A file system that ignores case finds the file of another class.
    }
    throw new InvalidSpecException(operator, "there is no such operator");
  }

  private JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw invalid("it is not JSON");
    }
  }

  /** @param others names of further allowed fields that are not components of the record */
  private Object record(Class<?> type, JsonNode json, String path, Set<String> others) {
    if (!json.isObject()) {
      throw expected("an object", json, path);
    }
    RecordComponent[] components = type.getRecordComponents();
    Set<String> known = new HashSet<>(others);
    Arrays.stream(components).map(RecordComponent::getName).forEach(known::add);
    json.fieldNames().forEachRemaining(name -> {
      if (!known.contains(name)) {
        throw invalid(path(path, name) + " is an unknown field");
      }
    });
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String name = components[i].getName();
      JsonNode value = json.get(name);
      if (value == null) {
        throw invalid(path(path, name) + " is missing");
      }
      boolean absent = value.isNull() && components[i].isAnnotationPresent(Nullable.class);
      values[i] = absent ? null : value(components[i].getGenericType(), value, path(path, name));
    }
    return create(type, components, values, path);
  }

  private Object value(Type type, JsonNode json, String path) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return list(list.getActualTypeArguments()[0], json, path);
    }
    Class<?> plain = (Class<?>) type;
    if (plain == String.class) {
      return check(json.isTextual(), "a text", json, path).textValue();
    }
    if (plain == boolean.class) {
      return check(json.isBoolean(), "true or false", json, path).booleanValue();
    }
    if (plain == int.class || plain == Integer.class) {
      return check(json.isIntegralNumber() && json.canConvertToInt(), "a whole number", json, path).intValue();
    }
    if (plain == long.class || plain == Long.class) {
      return check(json.isIntegralNumber() && json.canConvertToLong(), "a whole number", json, path).longValue();
    }
    if (plain == Double.class) {
      return check(json.isNumber(), "a number", json, path).doubleValue();
    }
    if (plain == BigDecimal.class) {
      // A number is written as text, so that no reader on the way rounds it.
      String text = check(json.isTextual(), "a number as a text", json, path).textValue();
      try {
        return new BigDecimal(text);
      } catch (NumberFormatException e) {
        throw expected("a number as a text", json, path);
      }
    }
    if (plain.isEnum()) {
      return Arrays.stream(plain.getEnumConstants()).filter(one -> json.isTextual() && ((Enum<?>) one).name().equals(json.textValue()))
          .findAny().orElseThrow(() -> expected("one of " + Arrays.toString(plain.getEnumConstants()), json, path));
    }
    return record(plain, json, path, Set.of());
  }

  private List<Object> list(Type element, JsonNode json, String path) {
    check(json.isArray(), "a list", json, path);
    List<Object> values = new ArrayList<>();
    for (JsonNode each : json) {
      values.add(value(element, each, path + "[" + values.size() + "]"));
    }
    return List.copyOf(values);
  }

  private Object create(Class<?> type, RecordComponent[] components, Object[] values, String path) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      // The record's constructor refuses contradictory values.
      throw invalid((path.isEmpty() ? "" : path + ": ") + e.getCause().getMessage());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode check(boolean holds, String what, JsonNode json, String path) {
    if (!holds) {
      throw expected(what, json, path);
    }
    return json;
  }

  private static String path(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private InvalidSpecException expected(String what, JsonNode found, String path) {
    return invalid(path + " must be " + what + ", but is " + found);
  }

  private InvalidSpecException invalid(String reason) {
    return new InvalidSpecException(operator, reason);
  }
}
