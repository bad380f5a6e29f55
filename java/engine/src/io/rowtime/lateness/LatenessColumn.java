package io.rowtime.lateness;

import java.io.Serializable;

/**
 * A column that decides which rows are late: its value, and its threshold, which is the value minus the lateness, of
 * the same type. The threshold of a row advances the column's clock.
 *
 * @param decreasing whether values decrease
 * @param eachRow whether a row counts for the next row of its batch, and not only for later batches
 * @param reason the reason why a row that is late by this column is rejected
 */
record LatenessColumn(boolean decreasing, boolean eachRow, String reason) implements Serializable {}
