package io.rowtime.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client of a registry of Avro schemas, over the REST interface of Confluent, Apicurio, Karapace and Redpanda.
 *
 * @param url the address, such as {@code http://registry:8081}
 * @param user the user name, or null for no authentication
 */
public record SchemaRegistry(String url, String user, String password) implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;
  private static final int MOST_REDIRECTS = 5;
  private static final int NOT_FOUND = 404;
  private static final int FAULT = 500;
  private static final int TEMPORARY = 307;
  private static final int PERMANENT = 308;

  /** Schemas by id. The schema of an id never changes. */
  private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

  /** The HTTP client of this JVM, created on first use. */
  private static final class Client {
    static final HttpClient SHARED = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT)
        .followRedirects(HttpClient.Redirect.NEVER).build();
  }

  /**
   * Thrown if the registry does not answer, or not like a registry. Python looks for the message in Spark's report of a
   * failed query.
   */
  public static final class RegistryFault extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RegistryFault(String message) {
      super(message);
    }
  }

  /** Spark's plans contain this text, so it must not contain the password. */
  @Override public String toString() {
    return "SchemaRegistry";
  }

  /** A schema, as JSON, and its id. */
  public record Registered(int id, String schema) {}

  /** Returns the schema of an id, as JSON; null if there is none. */
  public String schema(int id) {
    String key = url + " " + id;
    String known = KNOWN.get(key);
    if (known == null) {
      JsonNode found = ask("/schemas/ids/" + id, null);
      known = found == null ? null : avro(found, "schema " + id);
      if (known != null) {
        KNOWN.put(key, known);
      }
    }
    return known;
  }

  /** Returns the latest schema of a subject; null if it has none yet. */
  public Registered latest(String subject) {
    JsonNode found = ask("/subjects/" + encode(subject) + "/versions/latest", null);
    return found == null ? null : new Registered(found.path("id").asInt(), avro(found, "subject '" + subject + "'"));
  }

  /** Returns the id of a schema in a subject, and registers the schema there if necessary. */
  public int register(String subject, String schema) {
    JsonNode answer = ask("/subjects/" + encode(subject) + "/versions", JSON.createObjectNode().put("schema", schema).toString());
    if (answer == null || !answer.path("id").isInt()) {
      throw fault("rejects the schema for subject '" + subject + "'");
    }
    return answer.get("id").asInt();
  }

  private String avro(JsonNode found, String what) {
    String type = found.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw fault("has a schema of type " + type + " for " + what + ", not Avro");
    }
    if (!found.path("references").isEmpty()) {
      throw fault("has a schema with references for " + what + ", which is not supported yet");
    }
    return found.path("schema").asText();
  }

  /** Returns the registry's answer to a GET, or to a POST if there is a body; null for "not found". */
  private JsonNode ask(String path, String body) {
    URI address = URI.create(url.replaceFirst("/+$", "") + path);
    HttpResponse<String> answer = send(request(address, body));
    for (int count = 1; answer.statusCode() / 100 == 3; count++) {
      address = redirected(address, answer, body != null);
      if (count > MOST_REDIRECTS) {
        throw fault("redirects in a circle");
      }
      answer = send(request(address, body));
    }
    if (answer.statusCode() == NOT_FOUND) {
      return null;
    }
    JsonNode json;
    try {
      json = JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      json = JSON.createObjectNode();
    }
    if (answer.statusCode() / 100 != 2) {
      throw fault("answers " + answer.statusCode() + (json.has("message") ? ": " + json.get("message").asText() : ""));
    }
    return json;
  }

  private HttpRequest request(URI address, String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT)
        .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    if (user != null) {
      String credentials = user + ":" + (password == null ? "" : password);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
    }
    if (body != null) {
      request.header("Content-Type", "application/vnd.schemaregistry.v1+json").POST(BodyPublishers.ofString(body));
    }
    return request.build();
  }

  /**
   * Returns the address that a redirect names. Only the registry itself may be asked again, and with the same method:
   * another server would get the credentials, and a GET in place of a POST would register nothing.
   */
  private URI redirected(URI from, HttpResponse<String> answer, boolean post) {
    URI to;
    try {
      to = from.resolve(answer.headers().firstValue("Location").orElse(""));
    } catch (IllegalArgumentException e) {
      throw fault("answers " + answer.statusCode() + " with an address that is not a URL");
    }
    boolean keepsMethod = answer.statusCode() == TEMPORARY || answer.statusCode() == PERMANENT;
    if (!to.equals(from) && origin(to).equals(origin(from)) && (keepsMethod || !post)) {
      return to;
    }
    String where = origin(to).equals(origin(from)) ? "" : " to " + origin(to);
    throw fault("redirects" + where + " with status " + answer.statusCode() + ", which is not followed; name the address that answers");
  }

  private static String origin(URI address) {
    String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
    int port = address.getPort() >= 0 ? address.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + (address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT)) + ":" + port;
  }

  /** Retries failed requests, with increasing delays, because registries may restart. */
  private HttpResponse<String> send(HttpRequest request) {
    try {
      for (int attempt = 1;; attempt++) {
        try {
          HttpResponse<String> answer = Client.SHARED.send(request, BodyHandlers.ofString());
          if (answer.statusCode() < FAULT || attempt == ATTEMPTS) {
            return answer;
          }
        } catch (IOException e) {
          if (attempt == ATTEMPTS) {
            throw fault("cannot be reached: " + (e.getMessage() == null ? "no connection" : e.getMessage()));
          }
        }
        Thread.sleep(attempt * 300L);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw fault("did not respond before the query ended");
    }
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private RegistryFault fault(String what) {
    return new RegistryFault("The schema registry " + url + " " + what);
  }
}
