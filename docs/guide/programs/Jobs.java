import java.io.ByteArrayOutputStream;
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
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Jobs {
  static final int ATTEMPTS = 8;
  static final long POLL_MS = 2_000;
  static final Duration TIMEOUT = Duration.ofSeconds(180);
  static final Set<Integer> RETRYABLE = Set.of(408, 409, 429, 500, 502, 503, 504);
  // Enough of JSON for this; a program has a library for it. The first state of a job is its own.
  static final Pattern STATE = Pattern.compile("\"state\":\"(\\w+)\"");
  static final Pattern ID = Pattern.compile("\"id\":\"(\\w+)\"");
  static final Pattern ERROR = Pattern.compile("\"error\":\\{.*?\\}");

  static final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();

  public static void main(String[] args) throws IOException, InterruptedException {
    Path target = Path.of(args[0]);
    String boundary = UUID.randomUUID().toString();
    HttpRequest.Builder post =
        to("/v1/jobs")
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            // The same in every attempt: however often it is sent, it is one job.
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .POST(BodyPublishers.ofByteArray(form(boundary, Arrays.copyOfRange(args, 1, args.length))));
    String job = text(call(post));
    String path = "/v1/jobs/" + first(ID, job);
    while (Set.of("queued", "running").contains(first(STATE, job))) {
      Thread.sleep(POLL_MS);
      job = text(call(to(path)));
    }
    Files.write(target, call(to(path + "/archive")));
    boolean failed = false;
    for (Matcher error = ERROR.matcher(job); error.find(); failed = true) System.err.println(error.group());
    System.exit(failed ? 1 : 0);
  }

  static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(System.getenv("PLATEN_URL") + path))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + System.getenv("PLATEN_API_KEY"));
  }

  /** The body of the answer, after as many attempts as it takes. */
  static byte[] call(HttpRequest.Builder builder) throws InterruptedException {
    HttpRequest request = builder.build();
    for (int attempt = 1; ; attempt++) {
      String problem;
      boolean retry = true;
      long retryAfter = 0;
      try {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() < 300) return response.body();
        problem = response.statusCode() + " " + text(response.body());
        retry = RETRYABLE.contains(response.statusCode());
        String header = response.headers().firstValue("Retry-After").orElse("");
        retryAfter = header.matches("\\d{1,9}") ? Long.parseLong(header) : 0;
      } catch (IOException error) { // no answer, or half of one
        problem = error.toString();
      }
      System.err.println(request.uri().getPath() + ", attempt " + attempt + ": " + problem);
      if (!retry || attempt == ATTEMPTS) System.exit(1);
      long ceiling = Math.min(30_000, 500L << (attempt - 1));
      Thread.sleep(retryAfter * 1000 + ThreadLocalRandom.current().nextLong(ceiling + 1));
    }
  }

  /** The documents as parts "file" of a form. */
  static byte[] form(String boundary, String[] documents) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (String document : documents) {
      Path path = Path.of(document);
      String name = path.getFileName().toString().replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
      String disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"";
      body.write(("--" + boundary + "\r\n" + disposition + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      body.write(Files.readAllBytes(path));
      body.write("\r\n".getBytes(StandardCharsets.UTF_8));
    }
    body.write(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }

  static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }
}
