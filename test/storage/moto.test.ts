/** The contract on another S3 than s3rver: moto, which Debian has since 13. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { S3Store } from '../../src/storage/s3-store.ts';
import { awsCredentials, keepsTheContract, keysOf } from './contract.ts';

const program = process.env.MOTO_SERVER ?? '/usr/bin/moto_server';

/** @returns its address. */
async function startMoto(t: Test): Promise<string> {
  // The kernel ends it with the test, however the test ends.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, address] = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => reject(new Error('moto does not start')));
  });
}

t.test('moto', { skip: existsSync(program) ? false : `there is no ${program}` }, async (t) => {
  const endpoint = await startMoto(t);
  awsCredentials(t, { AWS_ACCESS_KEY_ID: 'moto', AWS_SECRET_ACCESS_KEY: 'moto' });
  let buckets = 0;
  await keepsTheContract(t, async (t) => {
    const bucket = `jobs-${++buckets}`;
    t.equal((await fetch(`${endpoint}/${bucket}`, { method: 'PUT' })).status, 200);
    const settings = { bucket, endpoint, region: 'us-east-1', pathStyle: true, redirect: true };
    const store = new S3Store(settings);
    t.teardown(() => store.close());
    const uploads = async () => {
      const listing = await (await fetch(`${endpoint}/${bucket}?uploads`)).text();
      return [...listing.matchAll(/<Upload>\s*<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
    };
    return { store, all: async () => [...(await keysOf(store)), ...(await uploads())] };
  });
});
