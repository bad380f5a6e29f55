package io.rowtime.parse;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Words of another SQL dialect, and the equivalent in this language.
 *
 * <p>» marks the word at which the parser stops, and « the word that is wrong, if it is another one. A word can be one of
 * several, separated by |, or a class: unit is a unit of time, amount a string with numbers and their units, number a
 * number, string a string, name a name, type the name of a type that does not exist here, and any any word. The words
 * after … are anywhere in a statement that begins with the words before it. » alone is any word, or the end of the
 * statement.
 */
record Construct(String words, UnaryOperator<String> hint) {
  static final char STOP = '»';
  static final char WRONG = '«';

  private static final Set<String> UNITS = Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  Construct(String words, String hint) {
    this(words, image -> hint);
  }

  /** A word that is wrong, and the way out. */
  record Found(int index, String hint) {}

  /** Returns what the first of the constructs that fits says about the token at {@code stop}, at which the parser stopped. */
  static Optional<Found> first(List<Construct> constructs, Tokens tokens, int stop) {
    return constructs.stream().flatMap(c -> c.at(tokens, stop).stream()).findFirst();
  }

  private Optional<Found> at(Tokens tokens, int stop) {
    List<String> list = List.of(words.split(" "));
    int gap = list.indexOf("…");
    if (gap > 0 && !fit(list.subList(0, gap), tokens, 0)) {
      return Optional.empty();
    }
    list = list.subList(gap + 1, list.size());
    int first = stop - indexOf(list, STOP);
    if (!fit(list, tokens, first)) {
      return Optional.empty();
    }
    int wrong = indexOf(list, WRONG);
    int index = wrong < 0 ? stop : first + wrong;
    return Optional.of(new Found(index, hint.apply(tokens.image(index))));
  }

  private static boolean fit(List<String> list, Tokens tokens, int first) {
    return IntStream.range(0, list.size()).allMatch(i -> fits(plain(list.get(i)), tokens, first + i));
  }

  private static int indexOf(List<String> list, char mark) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).charAt(0) == mark) {
        return i;
      }
    }
    return -1;
  }

  private static String plain(String word) {
    return word.charAt(0) == STOP || word.charAt(0) == WRONG ? word.substring(1) : word;
  }

  private static boolean fits(String word, Tokens tokens, int i) {
    String found = tokens.word(i);
    return switch (word) {
      case "", "any" -> true;
      case "unit" -> UNITS.contains(found);
      case "amount" -> IntervalText.isOne(found);
      case "number" -> !found.isEmpty() && Character.isDigit(found.charAt(0));
      case "string" -> found.startsWith("'");
      case "name" -> found.startsWith("\"") || !found.isEmpty() && Character.isLetter(found.charAt(0)) && !Words.isReserved(found);
      case "type" -> OtherTypes.hint(found) != null;
      default -> found.equals(word) || word.length() > 2 && List.of(word.split("\\|")).contains(found);
    };
  }
}
