package io.rowtime.lateness;

import java.io.Serializable;

/**
 * A column by which rows are judged.
 *
 * @param value index of its value
 * @param threshold index of the value from which on other rows are in time because of this row: the value less the
 *     lateness, in the same type
 * @param decreasing whether values fall
 * @param eachRow whether a row counts for the next one of its batch, and not only for later batches
 * @param reason why a row is refused that fails by this column
 */
record Judged(int value, int threshold, boolean decreasing, boolean eachRow, String reason) implements Serializable {}
