/** The entry point of the planner: text in, text out, and every failure becomes a diagnostic. */
package io.rowtime.bridge;
