package io.rowtime.parse;

/**
 * A syntax error, described for users.
 *
 * <p>Positions are 1-based and inclusive.
 *
 * @param code RT0001 grammar, RT0002 words and characters, RT0003 nesting too deep, RT0004 empty statement
 * @param hint the way out, or null if none is known
 */
public record ParseError(
    String code, String message, int line, int column, int endLine, int endColumn, String hint) {}
