/**
 * Streaming queries: when their micro-batches run, and how the rows of a micro-batch reach the Python process. It gets
 * them in one call, as bytes, once the tasks have computed them.
 */
package io.rowtime.microbatch;
