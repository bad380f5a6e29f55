package io.rowtime.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests an existing name for a misspelled one. */
public final class Spelling {
  private Spelling() {}

  /** Returns the candidate nearest to {@code name}, if at most a third of its letters differ. */
  public static Optional<String> nearest(String name, Collection<String> candidates) {
    String wanted = name.toUpperCase(Locale.ROOT);
    int limit = Math.max(1, wanted.length() / 3);
    return candidates.stream()
        .filter(c -> distance(wanted, c.toUpperCase(Locale.ROOT)) <= limit)
        .min(Comparator.comparingInt(c -> distance(wanted, c.toUpperCase(Locale.ROOT))));
  }

  /** Returns the Levenshtein edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
