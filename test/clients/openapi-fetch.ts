/** Rotates the key, asks with its successor, and is refused: with the client of openapi-typescript. */
import createClient from 'openapi-fetch';
import type { components, paths } from './platen.js';

const clientFor = (key: string) =>
  createClient<paths>({
    baseUrl: process.env.PLATEN_URL ?? '',
    headers: { Authorization: `Bearer ${key}` },
  });

const rotation = await clientFor(process.env.PLATEN_API_KEY ?? '').POST('/v1/keys/rotate', {
  body: { overlapSeconds: 60 },
});
if (rotation.error) throw new Error(rotation.error.code);
const successor: components['schemas']['RotatedKey'] = rotation.data;

const query = { month: '2020-02' };
const { data: usage } = await clientFor(successor.key).GET('/v1/usage', { params: { query } });
const quota: number | null | undefined = usage?.conversions.quota;

const { error } = await clientFor('wrong').GET('/v1/usage');
let refusal: 'INVALID_API_KEY' | undefined;
if (error?.code === 'INVALID_API_KEY') refusal = error.code;
// The compiler knows that it is there.
if (error?.code === 'RATE_LIMIT_EXCEEDED') error.retryAfter.toFixed();

console.log(JSON.stringify({ successor, month: usage?.month, quota, refusal, requestId: error?.requestId }));
