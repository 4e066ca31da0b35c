/**
 * Connections to addresses that clients choose: webhook endpoints, documents by URL. Only the process `platen egress` opens
 * them. This is the interface that its work uses.
 */

/** Why there is no usable answer. */
export type OutboundFailure =
  /** The address is malformed, or its scheme, host or IP address is not allowed. */
  | 'forbidden'
  /** The name has no address, nothing accepts the connection, or TLS failed. */
  | 'unreachable'
  /** It took too long. */
  | 'timeout'
  /** A status that the caller does not accept; redirects are not followed. */
  | 'status'
  /** The body is larger than the caller accepts. */
  | 'size';

/** A connection that failed. Its message may be shown to the client: it does not describe this network. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** Status of the answer, if there was one. */
  readonly status: number | undefined;

  constructor(failure: OutboundFailure, message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.status = status;
  }
}

/** Most bytes of an answer's body that are read. */
export const MAX_ANSWER_BYTES = 2_048;

/** The answer to a POST. */
export interface PostAnswer {
  readonly status: number;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string | undefined;
  /** The first 2 kB of its body, as far as they came soon. */
  readonly body: string;
}

export interface Outbound {
  /**
   * Sends a body. Any status is an answer; redirects are not followed.
   *
   * @param headers besides those of HTTP itself and `User-Agent`.
   * @param timeoutMs from the name's resolution to the answer's header.
   * @throws OutboundError `forbidden`, `unreachable` or `timeout`; another Error if this machine lacks descriptors, for example.
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    timeoutMs: number,
  ): Promise<PostAnswer>;

  /**
   * Downloads a document into a new file.
   *
   * @param limits for the whole download, and for the size of the body.
   * @throws OutboundError; `status` for every status but 200. Another Error if this machine lacks descriptors, for example,
   * or cannot write the file. A part of the file may exist then.
   */
  download(
    url: string,
    path: string,
    limits: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: number; readonly sha256: string }>;
}
