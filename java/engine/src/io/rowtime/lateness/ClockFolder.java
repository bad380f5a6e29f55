package io.rowtime.lateness;

import io.rowtime.files.SideFiles;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The files in which the tasks of a query record their clocks, one file per task and batch: {@code
 * <batch>-<kind>-<partition>.clock}, which contains the bound of the clock column in milliseconds (or {@code -}), a
 * blank, and all clocks. The kind is {@code r} if there were data rows, {@code c} if there were only control rows, and
 * {@code b} for a file that replaces all files up to its batch.
 */
public final class ClockFolder implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final String ENDING = ".clock";
  /** The maximum number of files that each task reads; more files are merged into one. */
  private static final int MAX_FILES = 24;

  private record Piece(long batch, char kind, String name) {}

  /**
   * The contents of the files.
   *
   * @param bound the bound of the clock column in milliseconds, or null before the first
   * @param lastRows the last batch with data rows, or -1
   * @param clocks the texts for {@link Clocks#advance}
   */
  public record Found(Long bound, long lastRows, List<String> clocks) {}

  private final String folder;

  /** @param folder the folder as a URI */
  public ClockFolder(String folder) {
    this.folder = folder;
  }

  /** Returns the clocks of all batches before {@code batch}. */
  Found before(long batch) {
    return readAll(pieces(batch));
  }

  /** Returns the clocks of all batches. */
  public Found latest() {
    return readAll(pieces(Long.MAX_VALUE));
  }

  /** Returns the last batch with data rows, as far as its files still exist, or -1. */
  public long lastRows() {
    return lastRows(pieces(Long.MAX_VALUE));
  }

  void write(TaskId task, boolean rows, Long bound, Clocks clocks) {
    write(task.batch() + (rows ? "-r-" : "-c-") + task.partition(), bound, clocks);
  }

  /**
   * Merges the files of all batches before that of {@code task}, once there are many.
   *
   * <p>It deletes only files that a file of an earlier batch already replaces, and which no concurrent task therefore
   * reads.
   */
  void compact(TaskId task, Long bound, Clocks clocks) {
    if (task.partition() != 0) {
      return;
    }
    List<Piece> pieces = pieces(task.batch());
    if (pieces.size() <= MAX_FILES) {
      return;
    }
    long base = base(pieces);
    write(task.batch() - 1 + "-b-0", bound, clocks);
    for (Piece piece : pieces) {
      if (piece.batch < base || piece.batch == base && piece.kind != 'b') {
        new SideFiles(folder).delete(piece.name);
      }
    }
  }

  private void write(String name, Long bound, Clocks clocks) {
    String content = (bound == null ? "-" : bound.toString()) + " " + clocks.text();
    new SideFiles(folder).write(name + ENDING, content.getBytes(StandardCharsets.UTF_8));
  }

  private Found readAll(List<Piece> pieces) {
    long base = base(pieces);
    Long bound = null;
    List<String> clocks = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.batch > base || piece.batch == base && piece.kind == 'b') {
        String[] parts = new SideFiles(folder).read(piece.name).split(" ");
        Long its = parts[0].equals("-") ? null : Long.valueOf(parts[0]);
        bound = bound == null || its != null && its > bound ? its : bound;
        clocks.add(parts[1]);
      }
    }
    return new Found(bound, lastRows(pieces), clocks);
  }

  private List<Piece> pieces(long before) {
    List<Piece> found = new ArrayList<>();
    for (String name : new SideFiles(folder).names()) {
      String[] parts = name.split("-");
      if (parts.length == 3 && name.endsWith(ENDING) && Long.parseLong(parts[0]) < before) {
        found.add(new Piece(Long.parseLong(parts[0]), parts[1].charAt(0), name));
      }
    }
    return found;
  }

  private static long lastRows(List<Piece> pieces) {
    return pieces.stream().filter(piece -> piece.kind == 'r').mapToLong(Piece::batch).max().orElse(-1);
  }

  private static long base(List<Piece> pieces) {
    return pieces.stream().filter(piece -> piece.kind == 'b').mapToLong(Piece::batch).max().orElse(-1);
  }
}
