package io.rowtime.microbatch;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An object that a task of this process gets as it is, and not a copy: what is serialized is a number. It is for objects of one
 * micro-batch, whose serialization takes longer than the task. It lives as long as the one who made this.
 */
final class InProcess<T> implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final AtomicLong NEXT = new AtomicLong();
  private static final Map<Long, Entry> ALL = new ConcurrentHashMap<>();
  private static final ReferenceQueue<InProcess<?>> ENDED = new ReferenceQueue<>();

  private final long number = NEXT.getAndIncrement();
  private final transient T object;

  private static final class Entry extends WeakReference<InProcess<?>> {
    private final long number;

    Entry(InProcess<?> of) {
      super(of, ENDED);
      number = of.number;
    }
  }

  InProcess(T object) {
    this.object = object;
    for (Entry ended = (Entry) ENDED.poll(); ended != null; ended = (Entry) ENDED.poll()) {
      ALL.remove(ended.number);
    }
    ALL.put(number, new Entry(this));
  }

  T get() {
    return object;
  }

  /** Returns the object that was serialized. */
  private Object readResolve() throws InvalidObjectException {
    Entry entry = ALL.get(number);
    InProcess<?> found = entry == null ? null : entry.get();
    if (found == null) {
      throw new InvalidObjectException("the object belongs to another process, or was freed");
    }
    return found;
  }
}
