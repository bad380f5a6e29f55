package examples;

/** Recurses until the stack overflows. */
public final class Endless {
  private Endless() {}

  public static Integer down(Integer level) {
    return down(level + 1) + 1;
  }
}
