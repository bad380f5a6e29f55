/** Clocks of time zones, and lengths of time. Needs neither Calcite nor Spark: planner and operators use it alike. */
package io.rowtime.time;
