/** Rotates the key, asks with its successor, and is refused: with the client of Hey API. */
import { client } from './platen/client.gen.js';
import { getUsage, type RotatedKey, rotateKey } from './platen/index.js';

client.setConfig({ baseUrl: process.env.PLATEN_URL ?? '' });

const rotation = await rotateKey({
  auth: process.env.PLATEN_API_KEY ?? '',
  body: { overlapSeconds: 60 },
});
if (rotation.error) throw new Error(rotation.error.code);
const successor: RotatedKey = rotation.data;

const { data: usage } = await getUsage({ auth: successor.key, query: { month: '2020-02' } });
const quota: number | null | undefined = usage?.conversions.quota;

const { error } = await getUsage({ auth: 'wrong' });
let refusal: 'INVALID_API_KEY' | undefined;
if (error?.code === 'INVALID_API_KEY') refusal = error.code;
// The compiler knows that it is there.
if (error?.code === 'RATE_LIMIT_EXCEEDED') error.retryAfter.toFixed();

console.log(JSON.stringify({ successor, month: usage?.month, quota, refusal, requestId: error?.requestId }));
