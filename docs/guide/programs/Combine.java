import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

public class Combine {
  static final int ATTEMPTS = 8;
  static final long BASE_MS = 500;
  static final long CAP_MS = 30_000;
  static final long LONGEST_RETRY_AFTER_S = 120;
  static final Duration TIMEOUT = Duration.ofSeconds(180);
  static final Set<Integer> RETRYABLE = Set.of(408, 409, 429, 502, 503, 504);

  public static void main(String[] args) throws IOException, InterruptedException {
    Path output = Path.of(args[0]);
    HttpRequest request = request(List.of(args).subList(1, args.length));
    HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();

    for (int attempt = 1; ; attempt++) {
      String problem;
      boolean retry;
      long retryAfter = 0;
      try {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() == 200) {
          Files.write(output, response.body());
          return;
        }
        String body = new String(response.body(), StandardCharsets.UTF_8);
        problem = response.statusCode() + " " + body;
        retry = RETRYABLE.contains(response.statusCode()) || body.contains("\"INTERNAL_ERROR\"");
        String header = response.headers().firstValue("Retry-After").orElse("");
        retryAfter = header.matches("\\d{1,9}") ? Long.parseLong(header) : 0;
      } catch (IOException error) { // no answer, or half of one
        problem = error.toString();
        retry = true;
      }
      System.err.println("attempt " + attempt + ": " + problem);
      if (!retry || attempt == ATTEMPTS || retryAfter > LONGEST_RETRY_AFTER_S) System.exit(1);
      // Full jitter, on top of what the service asked for.
      long ceiling = Math.min(CAP_MS, BASE_MS << (attempt - 1));
      Thread.sleep(retryAfter * 1000 + ThreadLocalRandom.current().nextLong(ceiling + 1));
    }
  }

  /** The documents as the form's parts "file". */
  static HttpRequest request(List<String> inputs) throws IOException {
    String boundary = UUID.randomUUID().toString();
    List<byte[]> body = new ArrayList<>();
    for (String input : inputs) {
      Path path = Path.of(input);
      String name = path.getFileName().toString().replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
      String disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"";
      body.add(("--" + boundary + "\r\n" + disposition + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      body.add(Files.readAllBytes(path));
      body.add("\r\n".getBytes(StandardCharsets.UTF_8));
    }
    body.add(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
    return HttpRequest.newBuilder(URI.create(System.getenv("PLATEN_URL") + "/v1/combine"))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + System.getenv("PLATEN_API_KEY"))
        .header("Content-Type", "multipart/form-data; boundary=" + boundary)
        // One for the documents, the same in every attempt: however often they are sent, they are billed once.
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .POST(BodyPublishers.ofByteArrays(body))
        .build();
  }
}
