/**
 * Lines from a socket as a source of Spark. What has been sent is not to be had again, so the lines of each batch are
 * written down before they are given out: a batch that Spark repeats after a crash has the same lines.
 */
package io.rowtime.socket;
