/** Messages by e-mail, over the SMTP server of the operator. */
import type { Log } from '../../system/log.ts';

interface MailerOptions {
  /** `smtp://` or `smtps://`, with the user and password if it wants some. */
  readonly url: string;
  /** Address of the sender. */
  readonly from: string;
  readonly log: Log;
  /** How long a step of the server may take, in milliseconds. */
  readonly patienceMs?: number;
}

interface Message {
  /** One address, or some that see each other. */
  readonly to: string | readonly string[];
  readonly subject: string;
  readonly text: string;
}

const PATIENCE_MS = 5_000;

export class Mailer {
  readonly #options: MailerOptions;
  /**
   * Most services never need it. Loaded before the first message: Node caches a failed import, so a lack of descriptors
   * at that moment would last until the next start.
   */
  readonly #nodemailer: Promise<typeof import('nodemailer')>;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#nodemailer = import('nodemailer');
    // `post` reports the failure.
    this.#nodemailer.catch(() => {});
  }

  /** Sends a message. A failure is only logged. @returns whether the server took it. */
  async send(message: Message): Promise<boolean> {
    return (await this.post(message)) === 'sent';
  }

  /**
   * As {@link send}.
   *
   * @returns `refused`: the server answered that it does not take it; `away`: it did not answer. What it took for some
   * addresses is `sent`.
   */
  async post({ to, subject, text }: Message): Promise<'sent' | 'refused' | 'away'> {
    const { url, from, log, patienceMs = PATIENCE_MS } = this.#options;
    // As objects: a text could name several.
    const addresses = (typeof to === 'string' ? [to] : to).map((address) => ({ name: '', address }));
    let transport: ReturnType<typeof import('nodemailer').createTransport> | undefined;
    try {
      const { createTransport } = await this.#nodemailer;
      transport = createTransport({
        url,
        connectionTimeout: patienceMs,
        greetingTimeout: patienceMs,
        socketTimeout: patienceMs,
        dnsTimeout: patienceMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { rejected = [] } = await transport.sendMail({ from, to: addresses, subject, text });
      if (rejected.length > 0)
        log.warn({ refused: rejected.length }, 'a message was refused for some addresses');
      return 'sent';
    } catch (error) {
      const { message, responseCode } = error as Error & { readonly responseCode?: number };
      // Its other fields have the user of the SMTP server.
      log.warn({ cause: message }, 'a message could not be sent');
      return responseCode === undefined ? 'away' : 'refused';
    } finally {
      transport?.close();
    }
  }
}
