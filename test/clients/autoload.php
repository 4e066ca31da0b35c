<?php

/**
 * What Composer makes of the client in PHP. The tests do not reach Composer's packages: they take Guzzle 7 of Debian, whose
 * PSR-7 has methods in the place of two functions that the client for Guzzle 6 calls.
 */

namespace GuzzleHttp\Psr7 {
    require_once '/usr/share/php/GuzzleHttp/autoload.php';

    function build_query(array $parameters): string
    {
        return Query::build($parameters);
    }

    /** @return resource */
    function try_fopen(string $name, string $mode)
    {
        return Utils::tryFopen($name, $mode);
    }
}

namespace {
    spl_autoload_register(static function (string $class): void {
        if (str_starts_with($class, 'Platen\\')) {
            require __DIR__ . '/../lib/' . strtr(substr($class, strlen('Platen\\')), '\\', '/') . '.php';
        }
    });
}
