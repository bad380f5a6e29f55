/** The functions: what each keeps of the rows of a frame, so that a row that enters or leaves costs little. */
package io.rowtime.operator.calls;
