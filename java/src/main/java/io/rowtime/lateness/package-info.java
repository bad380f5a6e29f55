/**
 * LATENESS and MONOTONIC on rows of a streaming query: rows that come too late are taken out and counted.
 *
 * <p>A row is judged by the largest values of earlier micro-batches, so rows of one batch do not depend on each other,
 * and no shuffle is needed: each task writes how far its rows have come into a small file, and the tasks of the next
 * batch read those of all tasks. A batch that runs again reads and writes the same. Compiled against Spark, which is on
 * the class path where these run, and not bundled with it.
 */
package io.rowtime.lateness;
