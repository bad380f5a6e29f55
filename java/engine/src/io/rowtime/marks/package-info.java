/**
 * A source of control rows, for a source that has none of its own: after a restart it provides that source's last
 * bound, and if the source is idle for a long time and its owner wants that, it advances the bound with the system
 * clock.
 *
 * <p>The bound is a part of the source's offset, so Spark's own checkpoint keeps it.
 */
package io.rowtime.marks;
