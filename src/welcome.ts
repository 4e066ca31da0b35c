/** What `npm start` prints: a command to paste, and pages to open. */
import { relative } from 'node:path';
import { kitFiles } from './paths.ts';
import { features, hasFeature, type Plan } from './plans/plans.ts';
import type { Services } from './services.ts';
import { curlCommand } from './shared/curl-command.ts';

const ACCOUNT = 'quickstart';
const KEY_LIFETIME_MS = 86_400_000;

/** Creates a live key for a day, of an account without limits, and prints a curl command that uses it. */
export async function welcome(
  { keys, plans, config, operatorToken }: Services,
  address: string,
): Promise<void> {
  let account = await keys.getAccount(ACCOUNT);
  if (!account) {
    const most = [...plans].toSorted(([, one], [, other]) => featuresOf(other) - featuresOf(one));
    const [plan = ''] = most[0] ?? [];
    account = await keys.createAccount({ id: ACCOUNT, name: 'Quick start', plan });
  }
  // Also of an account that an earlier version made, which had test keys only; but what an operator has set stays.
  const set = account.ownLimits.map(({ limit }) => limit);
  for (const limit of ['perSecond', 'perHour', 'perDay', 'perMonth'] as const) {
    if (set.includes(limit)) continue;
    await keys.changes.setLimit(ACCOUNT, { limit, value: null, from: null, until: null });
  }
  const { key } = await keys.createKey({
    account: ACCOUNT,
    name: 'npm start',
    environment: 'live',
    type: 'sk',
    expiresAt: new Date(Date.now() + KEY_LIFETIME_MS),
  });
  const sample = fromHere(kitFiles.sampleDocument);
  const request = `-H 'Authorization: Bearer ${key}' -F 'file=@${sample}' ${address}/v1/convert`;
  const { file } = operatorToken;
  const token = file === undefined ? 'your OPERATOR_TOKEN' : `the token in ${fromHere(file)}`;
  process.stdout.write(
    `
Platen is ready. Convert the sample, or put a document of your own in its place:

  ${curlCommand('sample.pdf', request)}

Or drop one on this page:    ${address}/
The reference and the guide: ${address}/v1/docs
The operator's dashboard:    ${address}/dashboard (sign in with ${token})

The key works for 24 hours, without limits but those that you set. Data folder: ${config.dataDir}. Stop with Ctrl-C.

`,
  );
}

const featuresOf = (plan: Plan): number => features.filter((feature) => hasFeature(plan, feature)).length;

/** A path relative to where npm was called: npm changes into the project's folder, but passes the original one. */
function fromHere(path: string): string {
  return relative(process.env.INIT_CWD ?? process.cwd(), path);
}
