package io.rowtime.plan.node;

/** A part of the text of a statement; lines and columns count from 1, and the end is the last character. */
public record Place(int line, int column, int endLine, int endColumn) {}
