import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends requests with java.net.http: parallel requests, and an upload with an echo. */
public class Client {
  public static void main(String[] args) throws Exception {
    String url = args[0];
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(trusting(args[1]))
            .build();

    List<CompletableFuture<HttpResponse<String>>> pending =
        IntStream.range(0, 100)
            .mapToObj(
                i -> client.sendAsync(HttpRequest.newBuilder(URI.create(url + "/")).build(), BodyHandlers.ofString()))
            .toList();
    for (CompletableFuture<HttpResponse<String>> each : pending) {
      HttpResponse<String> response = each.get();
      check(response.version() == HttpClient.Version.HTTP_2, "HTTP/1.1 was used");
      check(response.body().equals("Hello"), "unexpected response");
    }

    byte[] sent = new byte[2_000_000];
    Arrays.fill(sent, (byte) 'x');
    HttpRequest upload =
        HttpRequest.newBuilder(URI.create(url + "/echo"))
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(sent))
            .build();
    byte[] received = client.send(upload, BodyHandlers.ofByteArray()).body();
    check(Arrays.equals(sent, received), "the echo differs");
    System.out.println("101 requests with Java " + Runtime.version().feature());
    System.exit(0);
  }

  private static void check(boolean condition, String message) {
    if (!condition) throw new IllegalStateException(message);
  }

  /** Creates a context that trusts one certificate. */
  private static SSLContext trusting(String path) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (FileInputStream file = new FileInputStream(path)) {
      store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
