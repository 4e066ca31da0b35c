/**
 * Connections to addresses that clients choose: endpoints of webhooks, documents by URL. Only the process `platen egress`
 * opens them. This is what its work sees of them.
 */

/** Why nothing, or nothing of use, came back. */
export type OutboundFailure =
  /** The address is malformed, or of a scheme, host or IP address that is not allowed. */
  | 'forbidden'
  /** Its name has no address, or nothing accepts the connection, or TLS failed. */
  | 'unreachable'
  /** It took too long. */
  | 'timeout'
  /** Another status than the caller takes; redirects are not followed. */
  | 'status'
  /** The body is larger than the caller takes. */
  | 'size';

/** A connection that failed. Its message may be shown to the client: it says nothing of this network. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly failure: OutboundFailure;
  /** Of the answer, if there was one. */
  readonly status: number | undefined;

  constructor(failure: OutboundFailure, message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.status = status;
  }
}

/** The answer to a POST; its body is not read further than it takes to end the connection. */
export interface PostAnswer {
  readonly status: number;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string | undefined;
}

export interface Outbound {
  /**
   * Sends a body. Every status is an answer, a redirect too: none is followed.
   *
   * @param headers besides those of HTTP itself and `User-Agent`.
   * @param timeoutMs for all of it, from the name's resolution to the answer's header.
   * @throws OutboundError `forbidden`, `unreachable` or `timeout`.
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
   * @param limits for all of it, and for the body as it is on the wire and unpacked.
   * @throws OutboundError; `status` for every one but 200. The file may then be there in part.
   */
  download(
    url: string,
    path: string,
    limits: { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<{ readonly bytes: number; readonly sha256: string }>;
}
