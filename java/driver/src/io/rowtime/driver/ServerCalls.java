package io.rowtime.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.driver.ServerErrors.NoAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.calcite.avatica.ConnectionConfig;
import org.apache.calcite.avatica.remote.AvaticaHttpClient;

/**
 * Sends requests to the server, each once. Avatica's own client repeats a request that got no answer; a batch that the
 * server has received would then be written twice.
 */
final class ServerCalls implements AvaticaHttpClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(20);
  private static final int OK = 200;
  private static final int FAILED = 500;
  private static final int UNAUTHORIZED = 401;

  private final HttpClient client;
  private final URI root;
  private final String authorization;

  ServerCalls(URL url, ConnectionConfig config) {
    root = URI.create(url.toString());
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    if (config.truststore() != null) {
      builder.sslContext(trusting(config));
    }
    client = builder.build();
    authorization = config.avaticaUser() == null ? null : "Basic " + Base64.getEncoder()
        .encodeToString((config.avaticaUser() + ":" + config.avaticaPassword()).getBytes(StandardCharsets.UTF_8));
  }

  @Override public byte[] send(byte[] request) {
    return post(root, request);
  }

  /** Sends a request that Avatica's protocol lacks. */
  JsonNode ask(String what, String connection, int statement, Filler filler) throws SQLException {
    ObjectNode request = JSON.createObjectNode().put("do", what).put("connection", connection).put("statement", statement);
    filler.fill(request);
    JsonNode answer;
    try {
      answer = JSON.readTree(post(root.resolve("/rowtime"), JSON.writeValueAsBytes(request)));
    } catch (IOException | NoAnswer e) {
      throw ServerErrors.of(e);
    }
    if (answer.has("error")) {
      throw new SQLException(answer.get("error").asText(), answer.get("state").asText(), answer.get("number").asInt());
    }
    return answer;
  }

  /** Writes the fields of a request. */
  interface Filler {
    void fill(ObjectNode request);
  }

  private byte[] post(URI target, byte[] body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(target).POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .header("Content-Type", "application/octet-stream");
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    HttpResponse<byte[]> response;
    try {
      response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("Interrupted while the server was asked", e);
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new NoAnswer("The server at " + root + " does not answer: " + reason, e);
    }
    if (response.statusCode() != OK && response.statusCode() != FAILED) {
      String said = new String(response.body(), StandardCharsets.UTF_8);
      if (response.statusCode() == UNAUTHORIZED) {
        throw new NoAnswer(said, "28000", null);
      }
      String reason = said.isEmpty() ? "status " + response.statusCode() : said;
      throw new NoAnswer("The server at " + root + " refuses the request: " + reason, "08004", null);
    }
    return response.body();
  }

  private static SSLContext trusting(ConnectionConfig config) {
    try (InputStream in = Files.newInputStream(config.truststore().toPath())) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      String password = config.truststorePassword();
      store.load(in, password == null ? null : password.toCharArray());
      TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new NoAnswer("The trust store '" + config.truststore() + "' cannot be used: " + e.getMessage(), e);
    }
  }
}
