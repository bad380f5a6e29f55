package io.rowtime.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.rowtime.callbacks.Callbacks;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Serves JDBC clients over HTTP: Avatica's protocol at {@code /}, and additional requests at {@code /rowtime}.
 *
 * <p>The HTTP server is the JDK's own, because Avatica's server module needs a version of Jetty that is no longer
 * maintained.
 */
public final class JdbcServer {
  /** The maximum number of concurrent requests; requests for streams wait for rows. */
  private static final int MAX_REQUESTS = 256;
  /**
   * The number of TCP connections per client connection. A driver's threads share one, and each takes another one while
   * it waits.
   */
  private static final int SOCKETS_PER_CONNECTION = 2;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int WRONG_METHOD = 405;
  private static final int TOO_LARGE = 413;
  private static final int TOO_MANY = 429;
  private static final int NO_ROOM = 503;
  /** The part of the heap that the bodies of requests may take. Parsing one takes up to ten times its size. */
  private static final int PART_FOR_REQUESTS = 24;

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService sweeper;
  private final ScheduledThreadPoolExecutor clock;
  private final ClientConnections connections;
  private final RequestHandlers handlers;
  private final Extensions extensions;
  private final Credentials credentials;
  private final HostNames hosts;
  private final AnswerWriter writer;
  private final Semaphore answering = new Semaphore(MAX_REQUESTS, true);
  private final int largest;
  private final RequestBudget budget;

  private JdbcServer(HttpServer server, Backend backend, JsonNode settings) {
    this.server = server;
    BackendCalls calls = new BackendCalls(backend);
    connections = new ClientConnections(settings.get("connections").asInt(), settings.get("idleMillis").asLong(),
        id -> calls.call("disconnect", id, 0, request -> { }));
    handlers = new RequestHandlers(new ServeMeta(connections, calls));
    extensions = new Extensions(connections, calls);
    credentials = settings.path("password").isTextual()
        ? new Credentials(settings.get("user").asText(), settings.get("password").asText()) : null;
    largest = settings.get("largest").asInt();
    List<String> names = new ArrayList<>();
    settings.path("hosts").forEach(name -> names.add(name.asText()));
    // A certificate says for which names the server answers.
    hosts = settings.path("keystore").isTextual() ? null : new HostNames(settings.get("address").asText(), names);
    budget = new RequestBudget(largest, Runtime.getRuntime().maxMemory() / PART_FOR_REQUESTS);
    // One thread per socket: a client that sends half a request blocks the thread that reads it, and no other client's.
    threads = new ThreadPoolExecutor(0, SOCKETS_PER_CONNECTION * settings.get("connections").asInt(), 5, TimeUnit.SECONDS,
        new SynchronousQueue<>(), daemons());
    sweeper = Executors.newSingleThreadScheduledExecutor(daemons());
    clock = new ScheduledThreadPoolExecutor(1, daemons());
    clock.setRemoveOnCancelPolicy(true);
    writer = new AnswerWriter(clock, settings.get("answerMillis").asLong());
    sweep();
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Closes idle connections periodically. */
  // An exception would end the periodic task, so it throws none.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void sweep() {
    sweeper.scheduleWithFixedDelay(() -> {
      try {
        connections.closeIdle();
      } catch (RuntimeException ignored) {
        // A connection that cannot be closed cleanly is forgotten anyway; the others are closed in the next round.
      }
    }, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Starts a server.
   *
   * @param settings JSON: {@code address}, {@code port} (0 for any), {@code user} and {@code password} (null for no
   *     authentication), {@code keystore} and {@code keystorePassword} for TLS (null for none), {@code connections}
   *     (maximum number), {@code idleMillis} after which an idle connection is closed, {@code largest} request in bytes,
   *     {@code hosts} (names of the server besides its address), {@code answerMillis} for a client to take a part of an
   *     answer
   */
  public static JdbcServer start(Backend backend, String settings) throws IOException, GeneralSecurityException {
    JsonNode given = BackendCalls.read(settings.getBytes(StandardCharsets.UTF_8));
    // The time limit for a request, in seconds, and the number of TCP connections; the first server in the JVM
    // determines them.
    setDefault("sun.net.httpserver.maxReqTime", "60");
    String sockets = Integer.toString(SOCKETS_PER_CONNECTION * given.get("connections").asInt());
    setDefault("jdk.httpserver.maxConnections", sockets);
    // With more idle connections, the server would close one after its answer, when the client may already be sending
    // the next request.
    setDefault("sun.net.httpserver.maxIdleConnections", sockets);
    setDefault("sun.net.httpserver.nodelay", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(given.get("address").asText()), given.get("port").asInt());
    HttpServer server;
    if (given.path("keystore").isTextual()) {
      HttpsServer secure = HttpsServer.create(address, 0);
      try {
        secure.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(given.get("keystore").asText()),
            given.path("keystorePassword").asText("").toCharArray())));
      } catch (IOException | GeneralSecurityException e) {
        secure.stop(0);
        throw e;
      }
      server = secure;
    } else {
      server = HttpServer.create(address, 0);
    }
    return new JdbcServer(server, backend, given);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Stops the server, and with it all queries of its clients. */
  public void close() {
    sweeper.shutdownNow();
    server.stop(0);
    connections.closeAll();
    threads.shutdownNow();
    clock.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      // A web page may send requests to this machine too; only browsers send an Origin header.
      if (exchange.getRequestHeaders().containsKey("Origin")) {
        reply(exchange, FORBIDDEN, "Not for pages");
      } else if (hosts != null && !hosts.contain(exchange.getRequestHeaders().getFirst("Host"))) {
        reply(exchange, FORBIDDEN, "RT0634: The server is not known by this name; serve with --host NAME if it is its own");
      } else if (credentials != null && isRefused(exchange)) {
        // It has been answered.
        return;
      } else if (!exchange.getRequestMethod().equals("POST")) {
        reply(exchange, WRONG_METHOD, "This is a server for JDBC clients: jdbc:rowtime://host:port");
      } else {
        answer(exchange);
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    RequestHandlers.Answer answer;
    String length = exchange.getRequestHeaders().getFirst("Content-Length");
    if (budget.isTooLarge(length)) {
      // Its body is not waited for, nor is it opened, because it would be read when it is closed.
      reply(exchange, TOO_LARGE, tooLarge());
      return;
    }
    try (InputStream in = exchange.getRequestBody(); RequestBudget.Body body = budget.read(in, length)) {
      answer = exchange.getRequestURI().getPath().equals("/rowtime") ? extensions.answer(body.bytes()) : inTurn(body.bytes());
    } catch (RequestBudget.Refused refused) {
      if (refused.why == RequestBudget.Refusal.TOO_LARGE) {
        reply(exchange, TOO_LARGE, tooLarge());
      } else {
        exchange.getResponseHeaders().set("Retry-After", "5");
        reply(exchange, NO_ROOM, "RT0637: The requests that the server is answering are so large together that it cannot take another one\n"
            + "  hint: Try again later, or send smaller batches");
      }
      return;
    }
    if (answer.status() != OK && connections.isFull()) {
      // A client that was turned away must not keep a TCP connection from those that are in.
      exchange.getResponseHeaders().set("Connection", "close");
    }
    // A client may take its time to read the answer; the memory of its request is free by then.
    reply(exchange, answer.status(), answer.body());
  }

  private String tooLarge() {
    return "RT0646: The request has more than " + largest + " bytes";
  }

  /** Answers a request without the right password, and returns whether it was one. */
  private boolean isRefused(HttpExchange exchange) throws IOException {
    Credentials.Verdict verdict = credentials.judge(exchange.getRequestHeaders().getFirst("Authorization"),
        exchange.getRemoteAddress());
    if (verdict == Credentials.Verdict.WRONG) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"rowtime\", charset=\"UTF-8\"");
      reply(exchange, UNAUTHORIZED, "RT0642: The user or the password is wrong");
    } else if (verdict == Credentials.Verdict.BUSY) {
      exchange.getResponseHeaders().set("Retry-After", "10");
      reply(exchange, TOO_MANY, "RT0642: Somebody is trying passwords; connect again in a moment");
    }
    return verdict != Credentials.Verdict.ACCEPTED;
  }

  /**
   * Answers a request of Avatica. Requests of {@link Extensions} do not wait for others, so that cancellation is
   * immediate.
   */
  private RequestHandlers.Answer inTurn(byte[] request) {
    answering.acquireUninterruptibly();
    try {
      return handlers.answer(request);
    } finally {
      answering.release();
    }
  }

  private void reply(HttpExchange exchange, int status, String text) throws IOException {
    reply(exchange, status, text.getBytes(StandardCharsets.UTF_8));
  }

  private void reply(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
    writer.write(exchange, status, body);
  }

  private static SSLContext tls(Path keystore, char[] password) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keystore)) {
      keys.load(in, password);
    } catch (IOException e) {
      throw new IOException("No keystore in PKCS #12 with this password: " + e.getMessage(), e);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static ThreadFactory daemons() {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(() -> call(work), "rowtime-serve-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Does the work of a thread, and closes the connection on which it has called Python: a socket in two processes. */
  private static void call(Runnable work) {
    try {
      work.run();
    } finally {
      Callbacks.connectionOfThread().run();
    }
  }

  private static void setDefault(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
