package io.rowtime.validate;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.calcite.linq4j.function.Strict;

/** Times of time zones. Calcite's code calls it with a TIMESTAMP as milliseconds and a zone such as Europe/Berlin. */
@Strict
public final class Zones {
  private Zones() {}

  /** What clocks of the zone show at a time in UTC. */
  public static long fromUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneId.of(zone)).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** The time in UTC at which clocks of the zone show a time: the first, where they do twice; where never, as if they had gone on. */
  public static long toUtc(long millis, String zone) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC).atZone(ZoneId.of(zone)).toInstant().toEpochMilli();
  }
}
