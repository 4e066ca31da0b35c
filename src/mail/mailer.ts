/** Messages by e-mail, over the SMTP server of the operator. */
import type { Log } from '../log.ts';

export interface MailerOptions {
  /** `smtp://` or `smtps://`, with the user and password if it wants some. */
  readonly url: string;
  /** Address of the sender. */
  readonly from: string;
  readonly log: Log;
  /** How long a step of the server may take, in milliseconds. */
  readonly patienceMs?: number;
}

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const PATIENCE_MS = 5_000;

export class Mailer {
  readonly #options: MailerOptions;

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  /** Sends a message. A failure is only logged. @returns whether the server took it. */
  async send({ to, subject, text }: Message): Promise<boolean> {
    const { url, from, log, patienceMs = PATIENCE_MS } = this.#options;
    // Most services never need it.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
      dnsTimeout: patienceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      // As an object: a text could name several.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      return true;
    } catch (error) {
      // Its other fields have the user of the SMTP server.
      log.warn({ cause: (error as Error).message }, 'a message could not be sent');
      return false;
    } finally {
      transport.close();
    }
  }
}
