/** User-defined table functions over the rows of a table: their partitions, state, timers and output. */
package io.rowtime.operator.process;
