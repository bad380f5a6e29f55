package io.rowtime.lateness;

import java.io.Serializable;

/**
 * What a row is judged by: a value, and the threshold from which on other rows are in time because of this row, which is
 * the value less the lateness, in the same type.
 *
 * @param decreasing whether values fall
 * @param eachRow whether a row counts for the next one of its batch, and not only for later batches
 * @param reason why a row is refused that fails by this column
 */
record Judged(boolean decreasing, boolean eachRow, String reason) implements Serializable {}
