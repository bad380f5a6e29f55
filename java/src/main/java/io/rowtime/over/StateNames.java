package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The names of all state that stages may need: found once, as each batch has to declare them before it begins. */
final class StateNames implements States, Serializable {
  private static final long serialVersionUID = 1L;

  private final List<String> blocks = new ArrayList<>();
  private final List<String> entries = new ArrayList<>();

  StateNames(Stages stages) {
    stages.declare(this);
  }

  void declare(States states) {
    blocks.forEach(states::blocks);
    entries.forEach(states::entries);
  }

  @Override public HeldRows.Blocks blocks(String name) {
    blocks.add(name);
    return null;
  }

  @Override public Entries entries(String name) {
    entries.add(name);
    return null;
  }
}
