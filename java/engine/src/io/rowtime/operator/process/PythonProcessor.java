package io.rowtime.operator.process;

import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Runs a function in Python: partitions and their rows are sent to a worker as Arrow batches, many at a time. The
 * worker returns the state of a partition with its answer, as bytes that only workers can read.
 */
final class PythonProcessor implements Processor {
  /** The number of rows that are collected for one request to a worker. */
  private static final int ROWS_PER_REQUEST = 50_000;
  private static final StructType STATES = new StructType().add("state", DataTypes.BinaryType).add("due", DataTypes.LongType);

  private final ProcessSpec spec;
  private final PythonCode code;
  private final String setup;
  private final ProcessColumns columns;
  private final Arguments arguments;
  private final StructType partitions;
  private final StructType rows;
  private final List<Request> requests = new ArrayList<>();
  private int collected;
  private Emitter out;

  private record Request(PythonPartition partition, byte[] key, Rows rows, int[] which, int count, long bound) {}

  PythonProcessor(ProcessSpec spec, PythonCode code, ProcessColumns columns, Arguments arguments) {
    this.spec = spec;
    this.code = code;
    this.setup = code.setup(spec);
    this.columns = columns;
    this.arguments = arguments;
    this.partitions = columns.keys().add("state", DataTypes.BinaryType).add("bound", DataTypes.LongType).add("rows", DataTypes.LongType);
    this.rows = columns.readColumns().add("time", DataTypes.LongType);
  }

  /** The saved bytes of a partition, null if it has no state, and the time of its next timer. */
  private static final class PythonPartition implements Partition {
    private byte[] state;
    private long due = Long.MAX_VALUE;

    @Override public boolean isEmpty() {
      return state == null;
    }

    @Override public long due() {
      return due;
    }

    @Override public void save(Output to) {
      to.fixedLong(due);
      to.bytes(state);
    }
  }

  @Override public Partition create() {
    return new PythonPartition();
  }

  @Override public Partition load(Input saved) {
    PythonPartition partition = new PythonPartition();
    partition.due = saved.fixedLong();
    partition.state = saved.bytes();
    return partition;
  }

  @Override public void process(Partition partition, byte[] key, Rows from, int[] which, int count, long bound, Emitter to) {
    out = to;
    requests.add(new Request((PythonPartition) partition, key, from, which, count, bound));
    collected += count + 1;
    if (collected >= ROWS_PER_REQUEST) {
      finish();
    }
  }

  @Override public void finish() {
    if (requests.isEmpty()) {
      return;
    }
    byte[] states = ArrowBatches.stream(requests.stream().<InternalRow>map(this::partition).iterator(), partitions);
    boolean any = requests.stream().anyMatch(request -> request.count > 0);
    byte[] events = any ? ArrowBatches.stream(events(), rows) : new byte[0];
    byte[][] answer = ask(states, events);
    Iterator<InternalRow> kept = ArrowBatches.rows(answer[0], STATES);
    for (Request request : requests) {
      InternalRow row = kept.next();
      request.partition.state = row.isNullAt(0) ? null : row.getBinary(0);
      request.partition.due = row.getLong(1);
    }
    StructType results = columns.workerRows();
    for (Iterator<InternalRow> found = ArrowBatches.rows(answer[1], results); found.hasNext();) {
      InternalRow row = found.next();
      out.emit(requests.get((int) row.getLong(0)).key, row.getLong(1), columns.resultValues(row));
    }
    requests.clear();
    collected = 0;
  }

  private byte[][] ask(byte[] states, byte[] events) {
    PythonWorkers.Worker worker = null;
    boolean whole = false;
    try {
      worker = PythonWorkers.take(code, setup, arguments.arrow());
      byte[][] answer = worker.ask(spec.function(), states, events);
      whole = true;
      return answer;
    } catch (IOException e) {
      throw FunctionFailure.of(spec.function(), "its Python worker does not answer: " + e.getMessage(), e);
    } finally {
      if (whole) {
        PythonWorkers.giveBack(worker);
      } else if (worker != null) {
        worker.stop();
      }
    }
  }

  private InternalRow partition(Request request) {
    Object[] values = new Object[partitions.length()];
    int keys = columns.keys().length();
    for (int i = 0; i < keys; i++) {
      values[i] = columns.internalKey(request.key, i);
    }
    values[keys] = request.partition.state;
    values[keys + 1] = request.bound;
    values[keys + 2] = (long) request.count;
    return new GenericInternalRow(values);
  }

  private Iterator<InternalRow> events() {
    Stream<InternalRow> all = requests.stream().flatMap(request -> IntStream.range(0, request.count).mapToObj(i -> {
      Object[] values = new Object[rows.length()];
      columns.read(request.rows.get(request.which[i], request.rows.view()), values);
      values[values.length - 1] = request.rows.time(request.which[i]);
      return new GenericInternalRow(values);
    }));
    return all.iterator();
  }
}
