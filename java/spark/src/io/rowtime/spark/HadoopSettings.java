package io.rowtime.spark;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** Hadoop's settings, which Spark sends to the tasks of each micro-batch, for each scan and each stateful operator. */
public final class HadoopSettings {
  private HadoopSettings() {}

  /** Makes the session's settings, and the copies that are made of them, smaller. */
  public static void shorten(SparkSession spark) {
    Configuration settings = spark.sparkContext().hadoopConfiguration();
    if (!spark.sparkContext().master().startsWith("yarn")) {
      dropDefaultsOfYarn(settings);
    }
    dropOrigins(settings);
  }

  /** Removes the default settings of YARN, which are half of all. Like the origins, they come back when Hadoop reads its files again. */
  static void dropDefaultsOfYarn(Configuration settings) {
    List<String> defaults = new ArrayList<>();
    settings.forEach(each -> {
      String[] origins = each.getKey().startsWith("yarn.") ? settings.getPropertySources(each.getKey()) : null;
      if (origins != null && origins[origins.length - 1].endsWith("yarn-default.xml")) {
        defaults.add(each.getKey());
      }
    });
    defaults.forEach(settings::unset);
  }

  /**
   * Removes the note of each setting that says which file it is from.
   *
   * <p>Hadoop writes each of these 1,400 notes as a GZIP stream of its own: 10 to 20 ms for each scan of a micro-batch, against
   * 1 ms for the settings themselves. Nothing reads them but Hadoop's page on its configuration. They come back when Hadoop
   * reads its files again, as it does when it loads another component.
   */
  static void dropOrigins(Configuration settings) {
    // Reads the files, if that has not been done.
    settings.size();
    try {
      Field origins = Configuration.class.getDeclaredField("updatingResource");
      origins.setAccessible(true);
      if (origins.get(settings) instanceof Map<?, ?> map) {
        map.clear();
      }
    } catch (NoSuchFieldException | IllegalAccessException | InaccessibleObjectException e) {
      // Another version of Hadoop: it sends the settings as it does.
      return;
    }
  }
}
