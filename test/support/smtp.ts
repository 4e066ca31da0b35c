/** A real SMTP server, which keeps what it takes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Test } from 'tap';

interface ReceivedMail {
  readonly to: readonly string[];
  /** The message with its header, without the line ends of its encoding. */
  readonly text: string;
}

export interface SmtpOptions {
  /** What a message waits for before it is taken. */
  readonly gate?: Promise<void>;
}

/** It takes messages, but not to `nobody@…`. It ends with the test. */
export async function startSmtp(
  t: Test,
  { gate }: SmtpOptions = {},
): Promise<{ readonly url: string; readonly received: ReceivedMail[]; close(): Promise<void> }> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? new Error('no such mailbox') : null),
    onData: async (stream, { envelope }, done) => {
      const message = await text(stream);
      await gate;
      received.push({
        to: envelope.rcptTo.map(({ address }) => address),
        text: message.replaceAll('=\r\n', '').replaceAll('=3D', '='),
      });
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
    return closed;
  };
  t.teardown(close);
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received, close };
}
