package io.rowtime.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.ConnectStringParser;
import org.apache.calcite.avatica.DriverVersion;

/**
 * The driver for {@code jdbc:rowtime://host:port}, with options after semicolons: {@code user}, {@code password},
 * {@code tls} ({@code true}), {@code truststore} and {@code truststorePassword} (PKCS #12), {@code timeZone} for times
 * without a zone (default UTC) and {@code fetchSize}, the number of rows fetched at once.
 */
public class Driver extends org.apache.calcite.avatica.remote.Driver {
  private static final String PREFIX = "jdbc:rowtime:";
  private static final int DEFAULT_PORT = 7655;
  private static final Pattern ADDRESS = Pattern.compile("//(\\[[0-9A-Fa-f:.]+]|[^:/;?\\[\\]]+)(?::(\\d{1,5}))?/?(?:[;?](.*))?", Pattern.DOTALL);

  static {
    new Driver().register();
  }

  @Override protected String getConnectStringPrefix() {
    return PREFIX;
  }

  @Override protected DriverVersion createDriverVersion() {
    String version = Driver.class.getPackage().getImplementationVersion();
    String[] parts = (version == null ? "0.0" : version).split("\\.");
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    return new DriverVersion("rowtime JDBC driver", String.join(".", parts), "rowtime", String.join(".", parts), false, major, minor,
        major, minor);
  }

  @Override protected AvaticaFactory createFactory() {
    return new RowtimeFactory();
  }

  @Override public Connection connect(String url, Properties info) throws SQLException {
    if (url == null || !acceptsURL(url)) {
      return null;
    }
    Properties given = options(url, info == null ? new Properties() : info);
    return ServerErrors.call(() -> super.connect(PREFIX, given));
  }

  /** Converts the options of a URL and of {@code info} to Avatica's names. */
  private static Properties options(String url, Properties info) throws SQLException {
    Matcher address = ADDRESS.matcher(url.substring(PREFIX.length()));
    if (!address.matches()) {
      throw new SQLException("This is no URL of the driver: '" + url + "'. Write jdbc:rowtime://host:port", "08001");
    }
    Properties own = new Properties();
    info.stringPropertyNames().forEach(name -> own.setProperty(name, info.getProperty(name)));
    String options = address.group(3) == null ? "" : address.group(3);
    Properties all = ConnectStringParser.parse(options.replace('&', ';'), own);
    String port = address.group(2) == null ? Integer.toString(DEFAULT_PORT) : address.group(2);
    String scheme = Boolean.parseBoolean(all.getProperty("tls", "false")) ? "https" : "http";
    Properties made = new Properties();
    made.setProperty("url", scheme + "://" + address.group(1) + ":" + port + "/");
    made.setProperty("factory", ServiceFactory.class.getName());
    made.setProperty("timeZone", all.getProperty("timeZone", "UTC"));
    made.setProperty("fetch_size", all.getProperty("fetchSize", "1000"));
    if (all.getProperty("password") != null) {
      made.setProperty("avatica_user", all.getProperty("user", "rowtime"));
      made.setProperty("avatica_password", all.getProperty("password"));
    }
    if (all.getProperty("truststore") != null) {
      made.setProperty("truststore", all.getProperty("truststore"));
      made.setProperty("truststore_password", all.getProperty("truststorePassword", ""));
    }
    return made;
  }
}
