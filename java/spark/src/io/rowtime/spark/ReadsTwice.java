package io.rowtime.spark;

/** A node of a physical plan that computes its input's rows twice: a shuffle must be between, so that what is below runs once. */
public interface ReadsTwice {}
