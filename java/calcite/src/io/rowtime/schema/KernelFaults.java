package io.rowtime.schema;

import io.delta.kernel.exceptions.UnsupportedProtocolVersionException;
import io.delta.kernel.exceptions.UnsupportedTableFeatureException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Converts Delta Kernel's exceptions for a log to diagnostics. */
final class KernelFaults {
  private KernelFaults() {}

  /**
   * Returns the exception to throw for an exception of the kernel.
   *
   * @param name the name of the table or stream
   * @param folder the folder of its Delta table
   */
  static WarehouseException of(String name, Path folder, Exception fault) {
    if (fault instanceof WarehouseException known) {
      return known;
    }
    for (Throwable each = fault; each != null; each = each.getCause()) {
      if (each instanceof UnsupportedProtocolVersionException || each instanceof UnsupportedTableFeatureException) {
        return WarehouseException.newer("The log of '" + name + "' ('" + folder + "')", WrittenFormats.UNKNOWN_WRITER, fault);
      }
      if (each instanceof FileNotFoundException || each instanceof NoSuchFileException) {
        return WarehouseException.damaged(name, "a file is missing (" + firstLine(each) + ")", fault);
      }
    }
    return WarehouseException.damaged(name, "'" + folder + "': " + firstLine(fault), fault);
  }

  private static String firstLine(Throwable fault) {
    Throwable cause = fault;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String said = cause.getMessage();
    return said == null || said.isBlank() ? cause.getClass().getSimpleName() : said.strip().lines().findFirst().orElseThrow();
  }
}
