package io.rowtime.spark;

/** A source, or a relation that a stream is joined with, which knows how many rows Spark is going to read of it. */
public interface CountedBatch {
  /** Returns the rows for the micro-batch that is about to be planned; MAX_VALUE if they are unknown. */
  long batchRows();
}
