/** Table functions of the user's own over the rows of a table: their partitions, state, timers and output. */
package io.rowtime.operator.process;
