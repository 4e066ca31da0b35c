<?php

const TOLERANCE_S = 300;

/** The content of a message. $body: as it came. Throws if the secret did not sign it. */
function verify(string $secret, string $id, string $timestamp, string $signature, string $body): array
{
    if (abs(time() - (int) $timestamp) > TOLERANCE_S) {
        throw new RuntimeException('The message is too old, or from the future.');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signature) as $each) {
        if (hash_equals($expected, $each)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('No signature fits.');
}

$headers = array_map('getenv', ['WEBHOOK_ID', 'WEBHOOK_TIMESTAMP', 'WEBHOOK_SIGNATURE']);
echo json_encode(verify(getenv('WEBHOOK_SECRET'), ...[...$headers, file_get_contents('php://stdin')])), "\n";
