package io.rowtime.serve;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names by which clients may call the server. A page of the Web can give its own name this machine's address, and
 * then send requests as if it came from the server; it cannot choose the name in the {@code Host} header.
 */
final class HostNames {
  private static final Pattern PORT = Pattern.compile(":\\d+$");
  private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1\\]");

  private final Set<String> names = new HashSet<>();

  HostNames(String address, List<String> more) {
    names.add(normal(address.contains(":") ? "[" + address + "]" : address));
    more.forEach(name -> names.add(normal(name)));
  }

  /** Returns whether a {@code Host} header, with or without a port, names the server. */
  boolean contain(String header) {
    if (header == null) {
      return false;
    }
    String name = normal(PORT.matcher(header.trim()).replaceFirst(""));
    return LOOPBACK.matcher(name).matches() || names.contains(name);
  }

  private static String normal(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
