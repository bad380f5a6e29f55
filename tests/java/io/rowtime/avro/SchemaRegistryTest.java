package io.rowtime.avro;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.rowtime.avro.SchemaRegistry.RegistryFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Redirects of a registry: only the registry itself is asked again, and with the same method. */
public final class SchemaRegistryTest {
  private static final String ANSWER = "{\"id\": 7, \"schema\": \"\\\"string\\\"\"}";

  private final List<String> atOther = new CopyOnWriteArrayList<>();
  private final List<String> atRegistry = new CopyOnWriteArrayList<>();
  private HttpServer registry;
  private HttpServer other;
  private int status;
  private String location;

  @Before public void start() throws IOException {
    registry = server();
    registry.createContext("/", exchange -> {
      String path = exchange.getRequestURI().getPath();
      atRegistry.add(exchange.getRequestMethod() + " " + path);
      boolean moved = !path.startsWith("/moved");
      if (moved) {
        exchange.getResponseHeaders().set("Location", location + path);
      }
      byte[] body = moved ? new byte[0] : ANSWER.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(moved ? status : 200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    registry.start();
    other = server();
    other.createContext("/", exchange -> {
      atOther.add(exchange.getRequestMethod() + " " + exchange.getRequestHeaders().getFirst("Authorization"));
      byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    other.start();
  }

  @After public void stop() {
    registry.stop(0);
    other.stop(0);
  }

  @Test public void nothingGoesToAnotherServer() {
    location = address(other);
    for (int each : new int[] {301, 302, 303, 307, 308}) {
      status = each;
      RegistryFault fault = assertThrows(RegistryFault.class, () -> client().latest("s"));
      assertTrue(fault.getMessage(), fault.getMessage().contains("redirects to " + address(other) + " with status " + each));
      assertThrows(RegistryFault.class, () -> client().register("s", "\"string\""));
    }
    assertEquals(List.of(), atOther);
  }

  @Test public void theRegistryMayMoveAPath() {
    location = "/moved";
    for (int each : new int[] {301, 302, 303, 307, 308}) {
      status = each;
      assertEquals(7, client().latest("s").id());
    }
    status = 308;
    assertEquals(7, client().register("s", "\"string\""));
    assertEquals("POST /moved/subjects/s/versions", atRegistry.get(atRegistry.size() - 1));
  }

  @Test public void aPostDoesNotBecomeAGet() {
    location = "/moved";
    for (int each : new int[] {301, 302, 303}) {
      status = each;
      assertThrows(RegistryFault.class, () -> client().register("s", "\"string\""));
    }
    assertEquals(List.of("POST /subjects/s/versions"), atRegistry.stream().distinct().toList());
  }

  @Test(timeout = 20_000) public void aCircleEnds() {
    location = "/again";
    status = 307;
    assertThrows(RegistryFault.class, () -> client().latest("s"));
  }

  private SchemaRegistry client() {
    return new SchemaRegistry(address(registry), "user", "word");
  }

  private static HttpServer server() throws IOException {
    return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  private static String address(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }
}
