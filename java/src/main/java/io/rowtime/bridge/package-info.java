/** The door of the planner: text in, text out, and no fault that is not a diagnostic. */
package io.rowtime.bridge;
