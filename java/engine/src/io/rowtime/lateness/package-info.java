/**
 * Applies LATENESS and MONOTONIC to the rows of a streaming query: late rows are removed and counted.
 *
 * <p>A row is compared with the largest values of earlier micro-batches, so the rows of one batch do not depend on each
 * other and no shuffle is needed: each task writes its clocks to a small file, and the tasks of the next batch read the
 * files of all tasks. A batch that runs again reads and writes the same. Compiled against Spark, which is on the class
 * path at run time, and not bundled with it.
 */
package io.rowtime.lateness;
