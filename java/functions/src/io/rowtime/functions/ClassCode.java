package io.rowtime.functions;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;

/** Identifies the code of user-defined functions, so that a change of it is noticed. */
public final class ClassCode {
  private ClassCode() {}

  /**
   * Returns a hash of the bytes of a class and of the classes declared in it; null if they cannot be read.
   *
   * @param name the name of the class
   */
  public static String hash(String name) {
    Hasher hasher = Hashing.sha256().newHasher();
    try {
      return add(hasher, UserClasses.named(name)) ? hasher.hash().toString() : null;
    } catch (ClassNotFoundException | LinkageError | IOException e) {
      return null;
    }
  }

  private static boolean add(Hasher hasher, Class<?> type) throws IOException {
    String file = type.getName().replace('.', '/') + ".class";
    ClassLoader loader = type.getClassLoader();
    try (InputStream bytes = loader == null ? null : loader.getResourceAsStream(file)) {
      if (bytes == null) {
        return false;
      }
      hasher.putBytes(bytes.readAllBytes());
    }
    Class<?>[] inner = type.getDeclaredClasses();
    Arrays.sort(inner, Comparator.comparing(Class::getName));
    for (Class<?> each : inner) {
      if (!add(hasher, each)) {
        return false;
      }
    }
    return true;
  }
}
