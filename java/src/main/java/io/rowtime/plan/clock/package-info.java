/** How times follow from the clock of a source, step by step, and the bound at which a value is over. */
package io.rowtime.plan.clock;
