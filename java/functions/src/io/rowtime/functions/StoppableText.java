package io.rowtime.functions;

import org.apache.spark.TaskContext;

/**
 * A text in which a search can be stopped. The matchers of regular expressions do not look whether their task was killed,
 * but they read the text, character by character.
 */
final class StoppableText implements CharSequence {
  private static final int LOOK = 1 << 12;

  private final String text;
  private final long maxSteps;
  private long steps;

  /**
   * Wraps a text.
   *
   * @param maxSteps how many characters may be read before {@link TooManySteps} is thrown
   */
  StoppableText(String text, long maxSteps) {
    this.text = text;
    this.maxSteps = maxSteps;
  }

  /** Throws an exception if the task was killed, or the thread was interrupted. */
  static void stopIfKilled() {
    TaskContext task = TaskContext.get();
    if (task != null) {
      task.killTaskIfInterrupted();
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("The search for a pattern was interrupted");
    }
  }

  @Override public char charAt(int index) {
    if ((++steps & (LOOK - 1)) == 0) {
      look();
    }
    return text.charAt(index);
  }

  private void look() {
    stopIfKilled();
    if (steps > maxSteps) {
      throw new TooManySteps();
    }
  }

  @Override public int length() {
    return text.length();
  }

  @Override public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override public String toString() {
    return text;
  }

  /** Thrown within a search to end it. */
  static final class TooManySteps extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManySteps() {
      super(null, null, false, false);
    }
  }
}
