package io.rowtime.claims;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads the watermark of a micro-batch from the offsets in Spark's checkpoint. */
final class EarlierWatermark {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EarlierWatermark() {}

  /** Returns the watermark of the micro-batch before {@code batch} in microseconds; the least number if there is none. */
  static long before(String checkpoint, long batch) {
    if (checkpoint == null || batch < 1) {
      return Long.MIN_VALUE;
    }
    try {
      // A version, then the state of the query, then the offsets of each source.
      List<String> lines = Files.readAllLines(Path.of(checkpoint, "offsets", String.valueOf(batch - 1)));
      long millis = JSON.readTree(lines.get(1)).path("batchWatermarkMs").longValue();
      return millis > 0 ? millis * 1000 : Long.MIN_VALUE;
    } catch (NoSuchFileException e) {
      return Long.MIN_VALUE;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The checkpoint has offsets that cannot be read", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
