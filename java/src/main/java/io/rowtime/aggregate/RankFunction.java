package io.rowtime.aggregate;

/** The functions that number the rows of a partition from 1 on, in the order of an ORDER BY; they differ in what they do with peers. */
public enum RankFunction { ROW_NUMBER, RANK, DENSE_RANK }
