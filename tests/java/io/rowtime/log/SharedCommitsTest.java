package io.rowtime.log;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public final class SharedCommitsTest {
  private final AtomicLong newest = new AtomicLong(4);
  private final SharedCommits commits = named(new TableCommits() {
    @Override public String newest() {
      return null;
    }

    @Override public String changes(String before, String version) {
      return null;
    }

    @Override public String failure() {
      return "RT0605 Table 'T' is damaged";
    }
  });

  private static SharedCommits named(TableCommits commits) {
    SharedCommits.register("t", commits);
    return SharedCommits.named("t");
  }

  /** A commit between the questions of two scans belongs to the next micro-batch, for both of them. */
  @Test public void allScansOfAMicroBatchReadTheSameVersion() {
    Object left = new Object();
    Object right = new Object();
    assertEquals(4, commits.next(left, newest::get));
    newest.set(5);
    assertEquals(4, commits.next(right, newest::get));
    assertEquals(5, commits.next(left, newest::get));
    assertEquals(5, commits.next(right, newest::get));
    // A scan that starts later, in the middle of a micro-batch.
    newest.set(6);
    assertEquals(5, commits.next(new Object(), newest::get));
    assertEquals(6, commits.next(left, newest::get));
  }

  @Test public void failuresAreSaid() {
    String said = assertThrows(IllegalStateException.class, () -> commits.require(commits.commits().newest())).getMessage();
    assertEquals("A table cannot be read: RT0605 Table 'T' is damaged", said);
    SharedCommits.release("t");
    assertThrows(IllegalStateException.class, () -> SharedCommits.named("t"));
  }
}
