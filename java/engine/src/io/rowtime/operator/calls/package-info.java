/** The aggregate functions: each keeps as much of a frame as it needs, so that adding or removing a row is cheap. */
package io.rowtime.operator.calls;
