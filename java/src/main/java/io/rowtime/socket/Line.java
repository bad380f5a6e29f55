package io.rowtime.socket;

import java.io.Serializable;

/**
 * A line, and when it arrived, in microseconds since 1970.
 *
 * @param trouble why it cannot be a record, of which {@code bytes} is the beginning then; or null
 */
record Line(byte[] bytes, long arrived, String trouble) implements Serializable {}
