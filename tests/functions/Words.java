package examples;

import java.util.Arrays;
import java.util.List;

/** Functions that give rows for the values of one row. */
public final class Words {
  private Words() {}

  /** The words of a text, and how long each is. */
  public static List<Object[]> split(String text) {
    return text == null ? null
        : Arrays.stream(text.split(" ")).filter(word -> !word.isEmpty()).map(word -> new Object[] {word, word.length()}).toList();
  }

  /** The numbers from 1. */
  public static Integer[] upTo(Integer n) {
    Integer[] numbers = new Integer[Math.max(0, n)];
    Arrays.setAll(numbers, i -> i + 1);
    return numbers;
  }
}
