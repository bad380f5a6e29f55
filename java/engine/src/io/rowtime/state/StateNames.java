package io.rowtime.state;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of all state that an operator may need, in order of declaration; each name is represented by its number.
 */
public final class StateNames implements States, Serializable {
  private static final long serialVersionUID = 1L;

  private final List<String> names = new ArrayList<>();

  public StateNames(TaskOperator operator) {
    operator.declare(this);
  }

  byte number(String name) {
    int number = names.indexOf(name);
    if (number < 0 || number > Byte.MAX_VALUE) {
      throw new IllegalStateException("State " + name + " has not been declared, or there are too many");
    }
    return (byte) number;
  }

  @Override public Blocks blocks(String name) {
    names.add(name);
    return null;
  }

  @Override public Entries entries(String name) {
    names.add(name);
    return null;
  }
}
