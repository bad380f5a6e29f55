/** Tracks the origin in the text of each node of a plan, through every rewrite. */
package io.rowtime.plan.origin;
