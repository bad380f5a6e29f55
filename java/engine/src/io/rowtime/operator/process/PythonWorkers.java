package io.rowtime.operator.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The processes that run functions in Python. A task borrows one for each batch. Workers keep no state between batches,
 * so any worker that was started for the same function can be used.
 */
final class PythonWorkers {
  private static final long IDLE_NANOS = 60_000_000_000L;
  private static final Map<Name, Deque<Worker>> IDLE = new HashMap<>();

  private PythonWorkers() {}

  /** What a worker was started for: the function, and all of its arguments. A hash of them can be that of others. */
  private record Name(String setup, ByteBuffer arguments) {}

  /** A process that runs one function. */
  static final class Worker {
    private final Name name;
    private final Process process;
    private final DataOutputStream requests;
    private final DataInputStream answers;
    private long since;

    private Worker(Name name, PythonCode python, String setup, byte[] arguments) throws IOException {
      this.name = name;
      ProcessBuilder builder = new ProcessBuilder(python.command()).redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().put("PYTHONPATH", python.path());
      process = builder.start();
      requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
      answers = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
      write(setup.getBytes(StandardCharsets.UTF_8));
      write(arguments);
    }

    private void write(byte[] frame) throws IOException {
      requests.writeLong(frame.length);
      requests.write(frame);
    }

    private byte[] read() throws IOException {
      byte[] frame = new byte[Math.toIntExact(answers.readLong())];
      answers.readFully(frame);
      return frame;
    }

    /**
     * Sends partitions and their rows, and waits for the results.
     *
     * @return their states, and the output rows
     * @throws FunctionFailure if the function fails
     */
    byte[][] ask(String function, byte[] partitions, byte[] rows) throws IOException {
      try {
        write(partitions);
        write(rows);
        requests.flush();
        if (answers.read() == 0) {
          return new byte[][] {read(), read()};
        }
        throw FunctionFailure.withMessage(new String(read(), StandardCharsets.UTF_8));
      } catch (EOFException e) {
        throw FunctionFailure.of(function, "its Python worker has stopped" + exitCode(), e);
      }
    }

    private String exitCode() {
      try {
        return " with exit code " + process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "";
      }
    }

    void stop() {
      process.destroyForcibly();
    }
  }

  /** @param setup the first message to a worker */
  static Worker take(PythonCode python, String setup, byte[] arguments) throws IOException {
    Name name = new Name(setup, ByteBuffer.wrap(arguments));
    synchronized (IDLE) {
      Deque<Worker> idle = IDLE.get(name);
      while (idle != null && !idle.isEmpty()) {
        Worker worker = idle.pop();
        if (worker.process.isAlive()) {
          return worker;
        }
      }
    }
    return new Worker(name, python, setup, arguments);
  }

  /** Returns a worker for reuse by the next batch, and stops workers that have been idle for a long time. */
  static void giveBack(Worker worker) {
    long now = System.nanoTime();
    worker.since = now;
    synchronized (IDLE) {
      IDLE.computeIfAbsent(worker.name, name -> new ArrayDeque<>()).push(worker);
      for (Iterator<Deque<Worker>> all = IDLE.values().iterator(); all.hasNext();) {
        Deque<Worker> idle = all.next();
        while (!idle.isEmpty() && now - idle.peekLast().since > IDLE_NANOS) {
          idle.removeLast().stop();
        }
        if (idle.isEmpty()) {
          all.remove();
        }
      }
    }
  }
}
