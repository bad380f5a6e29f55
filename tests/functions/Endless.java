package examples;

/** Calls itself until the stack is full. */
public final class Endless {
  private Endless() {}

  public static Integer down(Integer level) {
    return down(level + 1) + 1;
  }
}
