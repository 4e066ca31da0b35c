/**
 * Connections to addresses that clients choose. Answers are not trusted, only the documented headers are sent, and no
 * connection, session or cookie outlasts its request.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import {
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isShortage } from '../errors.ts';
import { isAllowedAddress } from './addresses.ts';
import { MAX_ANSWER_BYTES, type Outbound, OutboundError, type PostAnswer } from './outbound.ts';
import { addressesOf } from './resolver.ts';
import { type OutboundRules, readTarget, type Target } from './target.ts';

/** Most bytes of an answer's header. */
const MAX_HEADER_BYTES = 16_384;
const FIRST_STATUS = 100;
/** Most interim answers (1xx). */
const MAX_INTERIM = 5;
/** How long the connection to one of several addresses may take before the next one is tried. */
const NEXT_ADDRESS_MS = 2_000;
/** How long the beginning of an answer's body may take. */
const BODY_MS = 1_000;
/** Most characters of Retry-After that are passed on. */
const MAX_RETRY_AFTER = 100;

export interface GuardedClientOptions extends OutboundRules {
  /** The header `User-Agent`. */
  readonly userAgent: string;
  /** Name servers, as `address:port`; the system's by default. */
  readonly nameServers?: readonly string[];
  /** Certificates of authorities, instead of the system's. */
  readonly ca?: string;
  readonly patience?: Patience;
}

/** Time limits within that of the whole request, in milliseconds. */
interface Patience {
  /** From the name's resolution to the end of the TLS handshake. */
  readonly connectMs: number;
  /** From then on to the end of the answer's header. */
  readonly headerMs: number;
  /** Longest silence within the body. */
  readonly silenceMs: number;
}

const usual: Patience = { connectMs: 10_000, headerMs: 30_000, silenceMs: 15_000 };

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole request. */
  readonly timeoutMs: number;
}

export class GuardedClient implements Outbound {
  readonly #options: GuardedClientOptions;

  constructor(options: GuardedClientOptions) {
    this.#options = options;
  }

  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    timeoutMs: number,
  ): Promise<PostAnswer> {
    return this.#request(url, { method: 'POST', headers, body, timeoutMs }, async (answer) => ({
      status: answer.statusCode ?? 0,
      retryAfter: answer.headers['retry-after']?.slice(0, MAX_RETRY_AFTER),
      body: await beginningOf(answer),
    }));
  }

  download(
    url: string,
    path: string,
    { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    return this.#request(url, { method: 'GET', headers: {}, timeoutMs }, async (answer, signal) => {
      assertDocument(answer, maxBytes);
      const sha256 = createHash('sha256');
      let bytes = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          sha256.update(chunk);
          if (bytes > maxBytes) done(tooLarge(maxBytes));
          else done(null, chunk);
        },
      });
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(answer, counting, file, { signal }).catch((error: NodeJS.ErrnoException) => {
        // A full disk is not the host's fault.
        throw ofFiles.includes(error.syscall ?? '') ? error : unreachable(error);
      });
      return { bytes, sha256: sha256.digest('hex') };
    });
  }

  /** Sends a request and reads its answer; then closes the connection. */
  async #request<T>(
    url: string,
    sent: Sent,
    read: (answer: IncomingMessage, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const target = readTarget(url, this.#options);
    const { connectMs, headerMs, silenceMs } = this.#options.patience ?? usual;
    const ending = new AbortController();
    const limits = new Limits(ending);
    limits.set('all', sent.timeoutMs);
    limits.set('phase', connectMs);
    let request: ClientRequest | undefined;
    try {
      const lookup = await this.#checkedAddresses(target.host, ending.signal);
      request = this.#open(target, sent, lookup);
      const answer = await answerTo(request, ending.signal, () => limits.set('phase', headerMs));
      limits.clear('phase');
      request.setTimeout(silenceMs, () => limits.end());
      return await read(answer, ending.signal);
    } catch (error) {
      ending.signal.throwIfAborted();
      throw error;
    } finally {
      limits.clear();
      request?.destroy();
    }
  }

  /** A lookup that returns the checked addresses only: a moment later, DNS may return others. */
  async #checkedAddresses(host: string, signal: AbortSignal): Promise<LookupFunction> {
    const { nameServers, allowNetworks } = this.#options;
    const addresses = await addressesOf(host, nameServers, signal);
    // One error for both cases, so that clients do not learn which names this network knows.
    if (
      addresses.length === 0 ||
      !addresses.every(({ address }) => isAllowedAddress(address, allowNetworks))
    ) {
      throw new OutboundError('unreachable', 'The host of the address is not known in the public Internet.');
    }
    const [{ address, family } = { address: '', family: 4 }] = addresses;
    return (_host, { all }, done) => {
      if (all) done(null, addresses);
      else done(null, address, family);
    };
  }

  #open({ isSecure, host, port, path }: Target, { method, headers, body }: Sent, lookup: LookupFunction) {
    const { ca, userAgent } = this.#options;
    const options: RequestOptions = {
      method,
      host,
      port,
      path,
      headers: {
        ...headers,
        'User-Agent': userAgent,
        'Accept-Encoding': 'identity',
        Connection: 'close',
        ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      },
      // No shared connections.
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      insecureHTTPParser: false,
      lookup,
    };
    const tls = {
      // Even if the environment turns it off.
      rejectUnauthorized: true,
      // TLS sends no server name for an IP address.
      servername: isIP(host) === 0 ? host : '',
      ...(ca !== undefined && { ca }),
    };
    const connecting = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS };
    try {
      const request = isSecure
        ? secureRequest({ ...options, ...connecting, ...tls })
        : plainRequest({ ...options, ...connecting });
      return request.on('error', () => {}).end(body);
    } catch (cause) {
      // A header or path has control characters.
      throw new OutboundError('forbidden', 'The request has characters that are not allowed.', undefined, {
        cause,
      });
    }
  }
}

/** Time limits that end a request. */
class Limits {
  readonly #ending: AbortController;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(ending: AbortController) {
    this.#ending = ending;
  }

  /** Starts the limit of this name; a running one ends. */
  set(name: string, ms: number): void {
    this.clear(name);
    this.#timers.set(
      name,
      setTimeout(() => this.end(), ms),
    );
  }

  /** Ends the request. */
  end(): void {
    this.#ending.abort(new OutboundError('timeout', 'The host took too long to answer.'));
  }

  /** Clears one limit, or all. */
  clear(name?: string): void {
    for (const [each, timer] of this.#timers) if (name === undefined || each === name) clearTimeout(timer);
  }
}

/** Waits for the header of the answer. @throws as {@link unreachable}. */
function answerTo(
  request: ClientRequest,
  signal: AbortSignal,
  connected: () => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error?: Error) => {
      reject(unreachable(error));
      request.destroy();
    };
    let interim = 0;
    signal.addEventListener('abort', () => fail(), { once: true });
    request
      .on('socket', (socket) => {
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
      })
      .on('information', () => {
        interim++;
        if (interim > MAX_INTERIM) fail();
      })
      .on('upgrade', () => fail())
      .on('error', fail)
      .on('close', () => fail())
      .on('response', (answer) => {
        // Node's parser accepts 000 to 999.
        if (Number(answer.statusCode) < FIRST_STATUS) fail();
        else resolve(answer);
      });
    if (signal.aborted) fail();
  });
}

/** The answer is given: what is wrong with its body, or how long that takes, must not make it a failure. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const ending = setTimeout(() => answer.destroy(), BODY_MS);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // It broke off.
  } finally {
    clearTimeout(ending);
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

/** @throws OutboundError unless it is a document of at most this size. */
function assertDocument({ statusCode, headers }: IncomingMessage, maxBytes: number): void {
  if (statusCode !== 200) {
    throw new OutboundError('status', `The host answered with status ${statusCode}, not 200.`, statusCode);
  }
  // The unpacked size would be unknown.
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw new OutboundError('size', 'The host sent the document compressed (Content-Encoding), unasked.');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): OutboundError {
  const megabytes = Math.round((maxBytes / 1_048_576) * 100) / 100;
  return new OutboundError('size', `The document is larger than ${megabytes} MB.`);
}

const ofFiles = ['open', 'write', 'close'];
const ofTls = /CERT|SIGNED|ISSUER|VERIFY|^ERR_(TLS|SSL)|^EPROTO/;

/** The error of a failed connection. A shortage on this machine is not the host's fault, and no OutboundError. */
function unreachable(cause?: NodeJS.ErrnoException): Error {
  if (cause instanceof OutboundError) return cause;
  if (isShortage(cause)) return new Error(`no connection can be made: ${cause?.code}`, { cause });
  const message = ofTls.test(cause?.code ?? '')
    ? 'No TLS connection to the host is possible, or its certificate is not valid.'
    : 'The host could not be reached, or the connection broke off.';
  return new OutboundError('unreachable', message, undefined, { cause });
}
