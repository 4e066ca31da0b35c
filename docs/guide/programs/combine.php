<?php
const ATTEMPTS = 8;
const BASE_MS = 500;
const CAP_MS = 30_000;
const LONGEST_RETRY_AFTER_S = 120;
const TIMEOUT_S = 180;
const RETRYABLE = [408, 409, 429, 502, 503, 504];

[, $output] = $argv;
$boundary = bin2hex(random_bytes(16));
$form = '';
foreach (array_slice($argv, 2) as $input) {
    if (!is_readable($input)) {
        fwrite(STDERR, "cannot read $input\n");
        exit(1);
    }
    // CURLOPT_POSTFIELDS takes one file of a name only.
    $name = str_replace(['"', "\r", "\n"], ['%22', '%0D', '%0A'], basename($input));
    $form .= "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\n\r\n";
    $form .= file_get_contents($input) . "\r\n";
}

$retryAfter = 0;
$curl = curl_init(getenv('PLATEN_URL') . '/v1/combine');
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('PLATEN_API_KEY'),
        // One for the documents, the same in every attempt: however often they are sent, they are billed once.
        'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        "Content-Type: multipart/form-data; boundary=$boundary",
    ],
    CURLOPT_POSTFIELDS => "$form--$boundary--\r\n",
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => TIMEOUT_S,
    CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$retryAfter) {
        if (preg_match('/^retry-after: *(\d+)/i', $line, $match)) {
            $retryAfter = (int) $match[1];
        }
        return strlen($line);
    },
]);

for ($attempt = 1; ; $attempt++) {
    $retryAfter = 0;
    $body = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($body !== false && $status === 200) {
        exit(file_put_contents($output, $body) === false ? 1 : 0);
    }
    // Without a body there was no answer, or half of one.
    $problem = $body === false ? curl_error($curl) : "$status $body";
    fwrite(STDERR, "attempt $attempt: $problem\n");
    $retry = $body === false || in_array($status, RETRYABLE, true) || str_contains($body, '"INTERNAL_ERROR"');
    if (!$retry || $attempt === ATTEMPTS || $retryAfter > LONGEST_RETRY_AFTER_S) {
        exit(1);
    }
    // Full jitter, on top of what the service asked for.
    $jitterMs = random_int(0, min(CAP_MS, BASE_MS << ($attempt - 1)));
    usleep(($retryAfter * 1000 + $jitterMs) * 1000);
}
