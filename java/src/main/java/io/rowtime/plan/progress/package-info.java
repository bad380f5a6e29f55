/** Whether a query can make progress, by which clock, when its groups are complete, and how much state it keeps. */
package io.rowtime.plan.progress;
