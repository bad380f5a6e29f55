/**
 * Lines from a socket as a source of Spark. Lines cannot be received again, so the lines of each batch are
 * written down before they are given out: a batch that Spark repeats after a crash has the same lines.
 */
package io.rowtime.socket;
