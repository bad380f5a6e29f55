package io.rowtime.functions;

import java.util.function.BiFunction;
import org.apache.spark.unsafe.types.UTF8String;

/** The last pattern of each thread in compiled form: it is usually the next one too. */
final class LastPattern<T> {
  private record Compiled<T>(UTF8String pattern, UTF8String options, T form) {}

  // Instances are constants, so there are no more thread locals than with static ones.
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Compiled<T>> last = new ThreadLocal<>();
  private final BiFunction<String, String, T> compile;

  /** @param compile makes the compiled form of a pattern and its options, such as an escape character */
  LastPattern(BiFunction<String, String, T> compile) {
    this.compile = compile;
  }

  /** Returns the compiled form. What the compilation throws is thrown each time. */
  T of(UTF8String pattern, UTF8String options) {
    Compiled<T> found = last.get();
    if (found == null || !found.pattern.equals(pattern) || !found.options.equals(options)) {
      found = new Compiled<>(pattern.copy(), options.copy(), compile.apply(pattern.toString(), options.toString()));
      last.set(found);
    }
    return found.form;
  }
}
