package io.rowtime.plan.json;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Connector;
import io.rowtime.plan.constant.Distances;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Says what a source is, so that offsets and state of another source are not taken for its own: the name of a stream or
 * table; of a foreign one also the connector with the options that say what is read, but no secrets; and which rows are late.
 */
final class SourceIdentity {
  /** User and password of an address, and its parameters. */
  private static final Pattern NOT_SHOWN = Pattern.compile("(?<=//)[^/@\\s]*@|[?;].*");
  /** Names of options whose values may be secret, or say nothing about what is read. */
  private static final Pattern NOT_READ = Pattern.compile(
      ".*(pass|pwd|secret|token|auth|key|credential|user).*|connector|idle_timeout|batch.*|.*timeout");

  private SourceIdentity() {}

  static String of(CatalogObject object) {
    List<String> details = new ArrayList<>();
    if (object.isForeign()) {
      Connector connector = object.connector();
      details.add(connector.name());
      new TreeMap<>(object.options()).forEach((name, value) -> {
        if (connector.reads(name) || !connector.declaresReads() && !NOT_READ.matcher(name).matches()) {
          details.add(name + " '" + NOT_SHOWN.matcher(value).replaceAll("") + "'");
        }
      });
    }
    for (CatalogColumn column : object.columns()) {
      if (column.lateness() != null) {
        details.add(column.name() + " LATENESS " + Distances.of(column.lateness()));
      }
      if (column.watermark() != null) {
        details.add(column.name() + " WATERMARK " + Distances.of(column.watermark()));
      }
      if (column.monotonic() != null) {
        details.add(column.name() + " MONOTONIC " + column.monotonic());
      }
    }
    return details.isEmpty() ? object.name() : object.name() + " (" + String.join(", ", details) + ")";
  }
}
