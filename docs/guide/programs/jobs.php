<?php
const ATTEMPTS = 8;
const TIMEOUT_S = 180;
const POLL_S = 2;
const RETRYABLE = [408, 409, 429, 500, 502, 503, 504];

/** Writes the answer into a file, after as many attempts as it takes. */
function call(string $method, string $path, string $file, ?string $body = null, array $headers = []): void
{
    for ($attempt = 1; ; $attempt++) {
        $retryAfter = 0;
        $out = fopen($file, 'w') ?: exit(1);
        $curl = curl_init(getenv('PLATEN_URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('PLATEN_API_KEY'), 'Expect:', ...$headers],
            CURLOPT_TIMEOUT => TIMEOUT_S,
            CURLOPT_FILE => $out,
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$retryAfter) {
                if (preg_match('/^retry-after: *(\d+)/i', $line, $match)) {
                    $retryAfter = (int) $match[1];
                }
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $isWhole = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        fclose($out);
        if ($isWhole && $status < 300) {
            return;
        }
        // What is not whole was no answer, or half of one.
        $problem = $isWhole ? "$status " . file_get_contents($file) : curl_error($curl);
        fwrite(STDERR, "$method $path, attempt $attempt: $problem\n");
        unlink($file);
        if (($isWhole && !in_array($status, RETRYABLE, true)) || $attempt === ATTEMPTS) {
            exit(1);
        }
        usleep(($retryAfter * 1000 + random_int(0, min(30_000, 500 << ($attempt - 1)))) * 1000);
    }
}

/** The job that a request answers with. */
function job(string ...$request): array
{
    [$method, $path] = $request;
    $file = tempnam(sys_get_temp_dir(), 'job');
    call($method, $path, $file, $request[2] ?? null, array_slice($request, 3));
    $job = json_decode(file_get_contents($file), true);
    unlink($file);
    return $job;
}

$target = $argv[1];
$boundary = bin2hex(random_bytes(16));
$body = '';
foreach (array_slice($argv, 2) as $path) {
    $document = file_get_contents($path);
    if ($document === false) {
        exit(1);
    }
    $name = str_replace(['"', "\r", "\n"], ['%22', '%0D', '%0A'], basename($path));
    $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\n\r\n$document\r\n";
}
$job = job(
    'POST',
    '/v1/jobs',
    "$body--$boundary--\r\n",
    "Content-Type: multipart/form-data; boundary=$boundary",
    // The same in every attempt: however often it is sent, it is one job.
    'Idempotency-Key: ' . bin2hex(random_bytes(16)),
);
while (in_array($job['state'], ['queued', 'running'], true)) {
    sleep(POLL_S);
    $job = job('GET', "/v1/jobs/{$job['id']}");
}
call('GET', "/v1/jobs/{$job['id']}/archive", $target);
$failed = array_filter($job['files'], fn ($file) => $file['error'] !== null);
foreach ($failed as ['name' => $name, 'error' => $error]) {
    fwrite(STDERR, "$name: {$error['code']} {$error['message']}\n");
}
exit($failed === [] ? 0 : 1);
