/** Clocks of time zones, and durations. It needs neither Calcite nor Spark; planner and operators use it. */
package io.rowtime.time;
