/** Rotates the key, asks with its successor, and is refused: with the client of Orval. */
import { getUsage, type RotatedKey, rotateKey } from './platen.js';

const rotation = await rotateKey({ overlapSeconds: 60 });
if (rotation.status !== 201) throw new Error(rotation.data.code);
const successor: RotatedKey = rotation.data;

process.env.PLATEN_API_KEY = successor.key;
const usage = await getUsage({ month: '2020-02' });
if (usage.status !== 200) throw new Error(usage.data.code);
const quota: number | null = usage.data.conversions.quota;

process.env.PLATEN_API_KEY = 'wrong';
const refused = await getUsage();
if (refused.status === 200) throw new Error('it is not refused');
const error = refused.data;
let refusal: 'INVALID_API_KEY' | undefined;
if (error.code === 'INVALID_API_KEY') refusal = error.code;
// The compiler knows that it is there.
if (refused.status === 429) refused.data.retryAfter.toFixed();

const { month } = usage.data;
console.log(JSON.stringify({ successor, month, quota, refusal, requestId: error.requestId }));
