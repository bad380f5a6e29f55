package io.rowtime.operator.spec;

import java.io.Serializable;

/** A part of an ORDER BY. */
public record Order(String column, boolean descending, boolean nullsFirst) implements Serializable {}
