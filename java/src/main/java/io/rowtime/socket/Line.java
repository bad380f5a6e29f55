package io.rowtime.socket;

import java.io.Serializable;

/** A line, and when it arrived, in microseconds since 1970. */
record Line(String text, long arrived) implements Serializable {}
