package io.rowtime.spark;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class HadoopSettingsTest {
  @Test public void settingsStayAndTheirOriginsGo() throws IOException {
    Configuration settings = new Configuration();
    settings.set("own", "value");
    int count = settings.size();
    String buffer = settings.get("io.file.buffer.size");
    int before = written(new Configuration(settings));
    HadoopSettings.dropOrigins(settings);
    assertEquals(count, settings.size());
    assertEquals("value", settings.get("own"));
    assertEquals(buffer, settings.get("io.file.buffer.size"));
    assertNull(settings.getPropertySources("own"));
    int after = written(new Configuration(settings));
    assertTrue(before + " bytes before, " + after + " after", after < before * 2 / 3);
  }

  @Test public void settingsOfYarnStayIfSomeoneMadeThem() {
    Configuration settings = new Configuration();
    settings.addResource(new ByteArrayInputStream(
        "<configuration><property><name>yarn.made</name><value>1</value></property></configuration>".getBytes(StandardCharsets.UTF_8)),
        "some/yarn-default.xml");
    settings.set("yarn.set", "2");
    settings.set("io.set", "3");
    HadoopSettings.dropDefaultsOfYarn(settings);
    assertNull(settings.get("yarn.made"));
    assertEquals("2", settings.get("yarn.set"));
    assertEquals("3", settings.get("io.set"));
  }

  private static int written(Configuration settings) throws IOException {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    settings.write(new DataOutputStream(to));
    return to.size();
  }
}
