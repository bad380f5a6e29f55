/** Plans in Calcite's own forms, for other programs that speak Calcite. */
package io.rowtime.plan.exchange;
