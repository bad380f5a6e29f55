package io.rowtime.aggregate;

/**
 * The functions that number the rows of a partition from 1, in the order of an ORDER BY. They differ in how they number
 * peers.
 */
public enum RankFunction { ROW_NUMBER, RANK, DENSE_RANK }
