/**
 * A source of control rows beside a source that has none: after a restart it says how far that one has come, and where
 * it is quiet for long, and its owner wants that, it lets the clock stand in for rows.
 *
 * <p>The bound is a part of the source's offset, so Spark's own checkpoint keeps it.
 */
package io.rowtime.marks;
