package io.rowtime.plan.build;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Connector;
import io.rowtime.plan.constant.Distances;
import io.rowtime.plan.meaning.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Says what a source is, or a table that has results, so that offsets and state of another one are not taken for its own: the name of a stream or
 * table; of a foreign one also the connector with the options that say what is read, but no secrets; and which rows are late.
 */
final class SourceIdentity {
  /** User and password of an address with a scheme. */
  private static final Pattern USER = Pattern.compile("(?<=//)[^/@\\s]*@");
  /** The parameters of an address. */
  private static final Pattern PARAMETERS = Pattern.compile("[?;].*", Pattern.DOTALL);
  /** Names of options whose values may be secret, or say nothing about what is read. */
  private static final Pattern NOT_READ = Pattern.compile(
      ".*(pass|pwd|secret|token|auth|bearer|key|credential|user).*|connector|idle_timeout|batch.*|.*timeout");
  private static final String HIDDEN = "***";
  private static final int HASH_LENGTH = 12;

  private SourceIdentity() {}

  static String of(CatalogObject object) {
    List<String> details = new ArrayList<>();
    if (object.isForeign()) {
      Connector connector = object.connector();
      details.add(connector.name());
      new TreeMap<>(object.options()).forEach((name, value) -> {
        if (connector.reads(name)) {
          details.add(name + " '" + place(value) + "'");
        } else if (!connector.declaresReads() && !NOT_READ.matcher(name).matches()) {
          // Only the adapter knows what it is; it may be a secret.
          details.add(name + " #" + Digest.hash(value, HASH_LENGTH));
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

  /** Returns an address without user, password and parameters. */
  private static String place(String value) {
    if (value.startsWith("/") || value.startsWith(".")) {
      // A path of this machine may contain any character.
      return value;
    }
    String address = PARAMETERS.matcher(value).replaceAll("");
    if (value.indexOf('@', address.length()) >= 0) {
      // Of a parameter, or of a password that contains what parameters begin with.
      return HIDDEN;
    }
    address = USER.matcher(address).replaceFirst("");
    // Databases write users in many ways, and a password may contain an @.
    return address.substring(address.lastIndexOf('@') + 1);
  }
}
