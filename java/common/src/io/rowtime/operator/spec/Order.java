package io.rowtime.operator.spec;

import java.io.Serializable;

/** A sort key of an ORDER BY. */
public record Order(String column, boolean descending, boolean nullsFirst) implements Serializable {}
