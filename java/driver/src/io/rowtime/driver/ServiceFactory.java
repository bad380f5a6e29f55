package io.rowtime.driver;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.MalformedURLException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;
import org.apache.calcite.avatica.remote.RemoteProtobufService;
import org.apache.calcite.avatica.remote.Service;

/** Creates the service of a connection, which talks to the server in Protobuf. */
public final class ServiceFactory implements Service.Factory {
  @Override public Service create(AvaticaConnection connection) {
    try {
      ServerCalls calls = new ServerCalls(new URI(connection.config().url()).toURL(), connection.config());
      ((RowtimeConnection) connection).calls(calls);
      return new RemoteProtobufService(calls, new ProtobufTranslationImpl());
    } catch (MalformedURLException | URISyntaxException e) {
      throw new IllegalArgumentException("This is no address of a server: " + connection.config().url(), e);
    }
  }
}
