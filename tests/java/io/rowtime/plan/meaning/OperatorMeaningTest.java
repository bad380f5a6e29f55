package io.rowtime.plan.meaning;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Meaning;
import io.rowtime.plan.node.NoMeaning;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * Changes each component of each operator in turn: the meaning of the node changes with it, and so the signature of its state
 * does, unless the component says why saved state does not depend on it.
 */
public class OperatorMeaningTest {
  private static final List<NormalForm> COLUMNS = Stream.of("zero", "one", "two", "three").map(name -> NormalForm.atom(name, "BOOLEAN")).toList();

  @Test public void eachComponentOfAnOperator() throws ReflectiveOperationException {
    int operators = 0;
    for (Class<?> type : Operator.class.getDeclaredClasses()) {
      if (type.isRecord() && Operator.class.isAssignableFrom(type)) {
        operators++;
        checkComponents(type, operator -> texts().of((Operator) operator).toString());
      }
    }
    assertTrue(operators > 20);
  }

  @Test public void eachComponentOfACall() throws ReflectiveOperationException {
    for (RecordComponent component : GroupCall.class.getRecordComponents()) {
      checkCall(component, GroupCall.class, call -> texts().call((GroupCall) call));
    }
    for (RecordComponent component : OverWindow.OverCall.class.getRecordComponents()) {
      checkCall(component, OverWindow.OverCall.class, call -> texts().call((OverWindow.OverCall) call));
    }
  }

  private static void checkCall(RecordComponent component, Class<?> type, Function<Object, String> text) throws ReflectiveOperationException {
    String before = text.apply(sample(type, null));
    String after = text.apply(sample(type, component));
    if (component.getName().equals("name")) {
      assertEquals("the name of a column means nothing", before, after);
    } else {
      assertNotEquals(component + " of " + type, before, after);
    }
  }

  private static void checkComponents(Class<?> type, Function<Object, String> text) throws ReflectiveOperationException {
    for (RecordComponent component : type.getRecordComponents()) {
      String place = "component '" + component.getName() + "' of " + type.getSimpleName();
      boolean meant = component.isAnnotationPresent(Meaning.class);
      assertTrue(place + " needs @Meaning or @NoMeaning", meant ^ component.isAnnotationPresent(NoMeaning.class));
      String before = text.apply(sample(type, null));
      String after = text.apply(sample(type, component));
      if (meant) {
        assertNotEquals(place, before, after);
      } else {
        assertEquals(place, before, after);
        assertFalse(place, component.getAnnotation(NoMeaning.class).value().isBlank());
      }
      Class<?> part = component.getGenericType() instanceof ParameterizedType list ? (Class<?>) raw(list.getActualTypeArguments()[0])
          : component.getType();
      if (meant && component.getAnnotation(Meaning.class).role() == Meaning.Role.PART && part != GroupCall.class && part != OverWindow.OverCall.class) {
        checkComponents(part, value -> texts().part((Record) value));
      }
    }
  }

  private static Type raw(Type type) {
    return type instanceof ParameterizedType generic ? generic.getRawType() : type;
  }

  private static MeaningTexts texts() {
    return new MeaningTexts(COLUMNS, COLUMNS, COLUMNS, List.of("zero", "one", "two", "three"), new TreeSet<>());
  }

  /** Returns an instance in which one component has another value (null: none). */
  private static Object sample(Class<?> type, RecordComponent changed) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      boolean names = components[i].isAnnotationPresent(Meaning.class) && components[i].getAnnotation(Meaning.class).role() == Meaning.Role.COLUMN_NAME;
      boolean other = changed != null && components[i].getName().equals(changed.getName());
      values[i] = names ? other ? "one" : "zero" : value(components[i].getGenericType(), other);
    }
    Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }

  private static Object value(Type type, boolean other) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType list) {
      return List.of(value(list.getActualTypeArguments()[0], other));
    }
    Class<?> plain = (Class<?>) type;
    int number = other ? 1 : 0;
    if (plain == int.class || plain == Integer.class) {
      return number;
    }
    if (plain == long.class || plain == Long.class) {
      return (long) number;
    }
    if (plain == Double.class) {
      return (double) number;
    }
    if (plain == boolean.class) {
      return other;
    }
    if (plain == String.class) {
      return other ? "other" : "value";
    }
    if (plain == BigDecimal.class) {
      return BigDecimal.valueOf(number);
    }
    if (plain == Expression.class) {
      return new Expression.ColumnRef(number, "BOOLEAN", false);
    }
    if (plain.isEnum()) {
      Object[] constants = plain.getEnumConstants();
      // The other value of a single one is that there is none.
      return number < constants.length ? constants[number] : null;
    }
    return other ? sample(plain, plain.getRecordComponents()[0]) : sample(plain, null);
  }
}
