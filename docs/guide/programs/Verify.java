import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    static final long TOLERANCE_S = 300;

    /** Throws if the secret did not sign the message. body: as it came. */
    static void verify(String secret, String id, String timestamp, String signature, byte[] body) throws Exception {
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_S) {
            throw new SecurityException("The message is too old, or from the future.");
        }
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (String each : signature.split(" ")) {
            if (MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), expected)) return;
        }
        throw new SecurityException("No signature fits.");
    }

    public static void main(String[] args) throws Exception {
        byte[] body = System.in.readAllBytes();
        var env = System.getenv();
        verify(env.get("WEBHOOK_SECRET"), env.get("WEBHOOK_ID"), env.get("WEBHOOK_TIMESTAMP"), env.get("WEBHOOK_SIGNATURE"), body);
        System.out.write(body);
        System.out.flush();
    }
}
