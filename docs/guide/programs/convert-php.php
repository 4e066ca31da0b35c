<?php
require 'platen-php/vendor/autoload.php';

use Platen\Api\AccountApi;
use Platen\Api\ConversionApi;
use Platen\ApiException;
use Platen\Configuration;
use Platen\Model\ConversionError400;
use Platen\Model\Error429;

$configuration = new Configuration();
$configuration->setHost(getenv('PLATEN_URL'))->setAccessToken(getenv('PLATEN_API_KEY'));
$http = new GuzzleHttp\Client();

function show(array $headers): void
{
    $headers = array_change_key_case($headers);
    echo 'request ', $headers['x-request-id'][0], "\n";
    echo 'requests left ', $headers['x-ratelimit-remaining'][0] ?? '', "\n";
}

try {
    $conversions = new ConversionApi($http, $configuration);
    [$pdf, , $headers] = $conversions->convertDocumentWithHttpInfo(new SplFileObject('document.docx'));
} catch (ApiException $failure) {
    $error = $failure->getResponseObject();
    if ($error === null) {
        throw $failure;
    }
    show($failure->getResponseHeaders());
    $code = $error->getCode();
    fwrite(STDERR, "$code: " . match ($code) {
        Error429::CODE_RATE_LIMIT_EXCEEDED => "wait for {$error->getRetryAfter()} seconds",
        ConversionError400::CODE_INVALID_FILE_TYPE,
        ConversionError400::CODE_CORRUPTED_FILE,
        ConversionError400::CODE_PASSWORD_PROTECTED => 'ask for another document',
        default => $error->getMessage(),
    } . "\n");
    exit(1);
}
show($headers);
rename($pdf->getPathname(), 'document.pdf');

$usage = (new AccountApi($http, $configuration))->getUsage(gmdate('Y-m'));
echo 'used in ', $usage->getMonth(), ' ', $usage->getConversions()->getUsed(), "\n";
