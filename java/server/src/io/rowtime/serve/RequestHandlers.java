package io.rowtime.serve;

import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.metrics.noop.NoopMetricsSystem;
import org.apache.calcite.avatica.remote.Handler.HandlerResponse;
import org.apache.calcite.avatica.remote.JsonHandler;
import org.apache.calcite.avatica.remote.LocalService;
import org.apache.calcite.avatica.remote.ProtobufHandler;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;

/** Reads and answers Avatica's requests, in JSON and in Protobuf. */
final class RequestHandlers {
  private static final boolean DEBUG = "1".equals(System.getenv("ROWTIME_DEBUG"));

  private final JsonHandler json;
  private final ProtobufHandler protobuf;

  RequestHandlers(ServeMeta meta) {
    LocalService service = new LocalService(meta);
    json = new JsonHandler(service, NoopMetricsSystem.getInstance()) {
      @Override public HandlerResponse<String> convertToErrorResponse(Exception e) {
        return super.convertToErrorResponse(toServeException(e));
      }
    };
    protobuf = new ProtobufHandler(service, new ProtobufTranslationImpl(), NoopMetricsSystem.getInstance()) {
      @Override public HandlerResponse<byte[]> convertToErrorResponse(Exception e) {
        return super.convertToErrorResponse(toServeException(e));
      }
    };
  }

  /** An answer: the HTTP status and the body. */
  record Answer(int status, byte[] body) {}

  /** Answers a request. A request in JSON starts with a brace, which no Protobuf message does. */
  Answer answer(byte[] request) {
    if (request.length > 0 && request[0] == '{') {
      HandlerResponse<String> response = json.apply(new String(request, StandardCharsets.UTF_8));
      return new Answer(response.getStatusCode(), response.getResponse().getBytes(StandardCharsets.UTF_8));
    }
    HandlerResponse<byte[]> response = protobuf.apply(request);
    return new Answer(response.getStatusCode(), response.getResponse());
  }

  /**
   * Converts an exception to the error for the client. An unexpected exception means a request that no Avatica client
   * sends.
   */
  static ServeException toServeException(Exception e) {
    if (e instanceof ServeException known) {
      return known;
    }
    if (DEBUG) {
      e.printStackTrace();
    }
    return ServeException.of("RT0646", "The request cannot be read", null);
  }
}
