package examples;

import java.util.Arrays;
import java.util.List;

/** Functions that return rows for the values of one row. */
public final class Words {
  private Words() {}

  /** Returns the words of a text, with their lengths. */
  public static List<Object[]> split(String text) {
    return text == null ? null
        : Arrays.stream(text.split(" ")).filter(word -> !word.isEmpty()).map(word -> new Object[] {word, word.length()}).toList();
  }

  /** Returns the numbers from 1 to n. */
  public static Integer[] upTo(Integer n) {
    Integer[] numbers = new Integer[Math.max(0, n)];
    Arrays.setAll(numbers, i -> i + 1);
    return numbers;
  }
}
