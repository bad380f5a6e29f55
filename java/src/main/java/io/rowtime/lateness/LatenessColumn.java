package io.rowtime.lateness;

import java.io.Serializable;

/**
 * A column that decides which rows are late: its value, and its threshold, which is the value less the lateness, of the same
 * type. The threshold of a row advances the column's clock.
 *
 * @param decreasing whether values fall
 * @param eachRow whether a row counts for the next row of its batch, and not only for later batches
 * @param reason why a row that fails by this column is rejected
 */
record LatenessColumn(boolean decreasing, boolean eachRow, String reason) implements Serializable {}
