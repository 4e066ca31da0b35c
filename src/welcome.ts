/** What `npm start` prints: a command to paste, and pages to open. */
import { relative } from 'node:path';
import { kitFiles } from './paths.ts';
import type { Services } from './services.ts';

const ACCOUNT = 'quickstart';
/** Where the operator has it; a test key has the same limits under every plan. */
const PLAN = 'free';
const KEY_LIFETIME_MS = 86_400_000;

/** Creates a test key for a day and prints a curl command that uses it. */
export async function welcome(
  { keys, plans, config, operatorToken }: Services,
  address: string,
): Promise<void> {
  if (!(await keys.getAccount(ACCOUNT))) {
    const [first = PLAN] = plans.keys();
    const plan = plans.has(PLAN) ? PLAN : first;
    await keys.createAccount({ id: ACCOUNT, name: 'Quick start', plan });
  }
  const { key } = await keys.createKey({
    account: ACCOUNT,
    name: 'npm start',
    environment: 'test',
    type: 'sk',
    expiresAt: new Date(Date.now() + KEY_LIFETIME_MS),
  });
  const sample = fromHere(kitFiles.sampleDocument);
  const { file } = operatorToken;
  const token = file === undefined ? 'your OPERATOR_TOKEN' : `the token in ${fromHere(file)}`;
  process.stdout.write(
    `
Platen is ready. Convert the sample, or put a document of your own in its place:

  curl -f -o sample.pdf -H 'Authorization: Bearer ${key}' -F 'file=@${sample}' ${address}/v1/convert

Or drop one on this page:    ${address}/
The reference and the guide: ${address}/v1/docs
The operator's dashboard:    ${address}/dashboard (sign in with ${token})

The key is a test key and works for 24 hours. Data folder: ${config.dataDir}. Stop with Ctrl-C.

`,
  );
}

/** A path relative to where npm was called: npm changes into the project's folder, but passes the original one. */
function fromHere(path: string): string {
  return relative(process.env.INIT_CWD ?? process.cwd(), path);
}
