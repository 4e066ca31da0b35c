import { createHmac, timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';

const TOLERANCE_S = 300;

/** The content of a message. `body`: as it came, before anything parses it. Throws if the secret did not sign it. */
function verify(secret, { id, timestamp, signature }, body) {
  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE_S)) throw new Error('The message is too old, or from the future.');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  const fits = (each) => each.length === expected.length && timingSafeEqual(each, expected);
  if (!signature.split(' ').some((each) => fits(Buffer.from(each)))) throw new Error('No signature fits.');
  return JSON.parse(body);
}

const {
  WEBHOOK_SECRET,
  WEBHOOK_ID: id,
  WEBHOOK_TIMESTAMP: timestamp,
  WEBHOOK_SIGNATURE: signature,
} = process.env;
console.log(JSON.stringify(verify(WEBHOOK_SECRET, { id, timestamp, signature }, await text(process.stdin))));
