package io.rowtime.state;

/**
 * A merge sort that uses the ascending runs that the rows already contain, because rows mostly arrive nearly in order.
 */
public final class NaturalMergeSort {
  public interface Before {
    /** Returns whether item {@code left} comes before item {@code right}. */
    boolean test(int left, int right);
  }

  private NaturalMergeSort() {}

  /** Returns the numbers below {@code count}, sorted; the sort is stable. */
  public static int[] sort(int count, Before before) {
    int[] from = new int[count];
    int[] starts = new int[count + 1];
    int stretches = 0;
    for (int i = 0; i < count; i++) {
      from[i] = i;
      if (i == 0 || before.test(i, i - 1)) {
        starts[stretches++] = i;
      }
    }
    starts[stretches] = count;
    int[] to = stretches > 1 ? new int[count] : null;
    while (stretches > 1) {
      int merged = 0;
      for (int s = 0; s < stretches; s += 2) {
        int middle = starts[Math.min(s + 1, stretches)];
        int end = starts[Math.min(s + 2, stretches)];
        merge(from, to, starts[s], middle, end, before);
        starts[merged++] = starts[s];
      }
      starts[merged] = count;
      stretches = merged;
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(int[] from, int[] to, int start, int middle, int end, Before before) {
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right >= end || left < middle && !before.test(from[right], from[left]);
      to[i] = from[takeLeft ? left++ : right++];
    }
  }
}
