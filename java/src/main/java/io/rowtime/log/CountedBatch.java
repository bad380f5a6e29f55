package io.rowtime.log;

/** A source that knows how many rows a micro-batch has before Spark reads them. */
interface CountedBatch {
  /** Returns the rows of the micro-batch that is about to be planned; MAX_VALUE if they are unknown. */
  long batchRows();
}
