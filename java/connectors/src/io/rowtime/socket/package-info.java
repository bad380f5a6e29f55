/**
 * Lines from a socket as a Spark source. Lines cannot be received again, so the lines of each batch are stored before
 * they are passed on: a batch that Spark repeats after a crash has the same lines.
 */
package io.rowtime.socket;
