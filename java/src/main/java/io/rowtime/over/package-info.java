/**
 * OVER on streams: analytic functions over frames that slide.
 *
 * <p>A row goes {@link io.rowtime.over.OverOperators} (the door) → {@link io.rowtime.over.Over} (Spark's processor, one key
 * for each shuffle partition) → {@link io.rowtime.over.Bucket} → {@link io.rowtime.over.Intake} (order) → stages. What a
 * batch writes is what came and what left, never what is held; what is in memory only saves reading it again.
 */
package io.rowtime.over;
