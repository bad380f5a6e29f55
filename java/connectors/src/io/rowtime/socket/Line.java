package io.rowtime.socket;

import java.io.Serializable;

/**
 * A line, and its arrival time in microseconds since 1970.
 *
 * @param trouble the reason why it cannot be a record, in which case {@code bytes} is its beginning; or null
 */
record Line(byte[] bytes, long arrived, String trouble) implements Serializable {}
