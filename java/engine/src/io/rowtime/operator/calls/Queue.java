package io.rowtime.operator.calls;

import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;

/** Values in order, each with a number; values can be removed at both ends. */
final class Queue {
  private Values values;
  private long[] numbers = new long[4];
  private int head;
  private int tail;

  Queue(ValueType type) {
    values = new Values(type, 4);
  }

  int size() {
    return tail - head;
  }

  Values values() {
    return values;
  }

  /** Returns the index in {@link #values} of the value at this position; position 0 is the first. */
  int at(int place) {
    return head + place;
  }

  long firstNumber() {
    return numbers[head];
  }

  void add(long number, Values from, int row) {
    if (tail == numbers.length) {
      makeRoom();
    }
    numbers[tail] = number;
    values.set(tail++, from, row);
  }

  void removeFirst() {
    head++;
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  void removeLast() {
    tail--;
  }

  private void makeRoom() {
    int capacity = head > tail / 2 ? numbers.length : numbers.length * 2;
    Values moved = new Values(values.type, capacity);
    for (int i = head; i < tail; i++) {
      moved.set(i - head, values, i);
    }
    values = moved;
    numbers = Arrays.copyOf(Arrays.copyOfRange(numbers, head, tail), capacity);
    tail -= head;
    head = 0;
  }
}
