package io.rowtime.adapter;

import io.rowtime.api.SourceAdapter;
import org.apache.spark.sql.connector.read.InputPartition;

/** The elements between two positions. They are one partition, so they stay in order. */
record Positions(String from, String to) implements InputPartition {
  static String initial(AdapterSettings settings, SourceAdapter adapter, boolean earliest) {
    return AdapterFault.guard(settings.label(), () -> requirePosition(adapter.initialPosition(earliest), "initialPosition"));
  }

  static String latest(AdapterSettings settings, SourceAdapter adapter, String from) {
    return AdapterFault.guard(settings.label(), () -> requirePosition(adapter.latestPosition(from), "latestPosition"));
  }

  private static String requirePosition(String position, String method) {
    if (position == null) {
      throw new IllegalArgumentException(method + " returns null");
    }
    return position;
  }
}
