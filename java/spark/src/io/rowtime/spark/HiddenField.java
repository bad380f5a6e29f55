package io.rowtime.spark;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;

/** A private field of a class of Spark's or Hadoop's. */
public final class HiddenField {
  private HiddenField() {}

  /** Returns a field that can be read and set; null if this version of the class has none of that name and type. */
  public static Field of(Class<?> owner, String name, Class<?> type) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field.getType() == type ? field : null;
    } catch (NoSuchFieldException | InaccessibleObjectException e) {
      return null;
    }
  }
}
