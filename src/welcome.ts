/** What `npm start`, and a container without REDIS_URL, print: a command to paste, and pages to open. */
import { hostname } from 'node:os';
import { relative, resolve } from 'node:path';
import { features, hasFeature, type Plan } from './accounts/plans/plans.ts';
import { type Config, DEFAULT_DATA_DIR } from './config.ts';
import { OperatorError } from './errors.ts';
import { kitFiles } from './paths.ts';
import type { Services } from './services.ts';
import { curlCommand } from './shared/curl-command.ts';

const ACCOUNT = 'quickstart';
const KEY_LIFETIME_MS = 86_400_000;
/** Passkeys need a name of the host. */
const NUMBERED = /\/\/(127\.0\.0\.1|\[::1\])(?=:|$)/;

/** Where somebody tries the service: what they see of its files and its address depends on it. */
type TrialPlace = 'checkout' | 'container';

/**
 * @param args of the program. `npm start` gives `--welcome`. The image gives `--welcome=container`, also in production, where
 *   a Redis is named.
 * @returns undefined where nobody tries the service.
 * @throws OperatorError if the image lacks a Redis, but has what nobody sets for a trial.
 */
export function trialPlace(
  args: readonly string[],
  { redisUrl, publicUrl, s3 }: Pick<Config, 'redisUrl' | 'publicUrl' | 's3'>,
  environment: NodeJS.ProcessEnv,
): TrialPlace | undefined {
  if (args.includes('--welcome')) return 'checkout';
  if (!args.includes('--welcome=container') || redisUrl !== undefined) return undefined;
  const production = { REDIS_URL: environment.REDIS_URL === '', PUBLIC_URL: publicUrl, S3_BUCKET: s3 };
  const [name] = Object.entries(production).find(([, isSet]) => isSet) ?? [];
  if (name === undefined) return 'container';
  throw new OperatorError(
    name === 'REDIS_URL'
      ? 'configuration: REDIS_URL is empty. Leave it out to try the service with a Redis of its own'
      : `configuration: ${name} needs REDIS_URL: without it the image is a service to try, whose data go with the container`,
  );
}

/** Creates a live key for a day, of an account without limits. The text has a curl command that uses it. */
export async function welcome(services: Services, address: string, place: TrialPlace): Promise<string> {
  const key = await makeKey(services, place);
  const { config, operatorToken } = services;
  const words = place === 'checkout' ? inCheckout(config, address) : inContainer(config, address);
  const request = `-H 'Authorization: Bearer ${key}' -F 'file=@${words.sample}' ${words.address}/v1/convert`;
  const { file } = operatorToken;
  const token = file === undefined ? 'your OPERATOR_TOKEN' : `the token ${words.whereIs(file)}`;
  return `
Platen is ready. Convert the sample, or put a document of your own in its place:

${[...words.before, curlCommand('sample.pdf', request)].map((line) => `  ${line}\n`).join('')}
Or drop one on this page:    ${words.address}/
The reference and the guide: ${words.address}/v1/docs
The operator's dashboard:    ${words.address}/dashboard (sign in with ${token})
The customers' console:      ${words.address.replace(NUMBERED, '//localhost')}/console (sign in by an invitation)

Invite yourself to the console; this prints a link:

  ${words.command} members invite --account ${ACCOUNT} --email you@example.com --role owner

The key works for 24 hours, without limits but those that you set. ${words.end} Stop with Ctrl-C.

`;
}

async function makeKey({ keys, plans }: Services, place: TrialPlace): Promise<string> {
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
    name: place === 'checkout' ? 'npm start' : 'docker run',
    environment: 'live',
    type: 'sk',
    expiresAt: new Date(Date.now() + KEY_LIFETIME_MS),
  });
  return key;
}

const featuresOf = (plan: Plan): number => features.filter((feature) => hasFeature(plan, feature)).length;

/** What depends on the place. */
interface Words {
  readonly address: string;
  /** Path of the sample. */
  readonly sample: string;
  /** Commands that bring it there. */
  readonly before: readonly string[];
  readonly whereIs: (file: string) => string;
  /** How the command line is called. */
  readonly command: string;
  /** About key, data and address. */
  readonly end: string;
}

function inCheckout({ dataDir }: Config, address: string): Words {
  // Commands look for the service's data where they are by default.
  const place =
    dataDir === resolve(DEFAULT_DATA_DIR) ? '' : `DATA_DIR='${dataDir.replaceAll("'", "'\\''")}' `;
  return {
    address,
    sample: fromHere(kitFiles.sampleDocument),
    before: [],
    whereIs: (file) => `in ${fromHere(file)}`,
    command: `${place}npm run -s platen --`,
    end: `Data folder: ${dataDir}.`,
  };
}

/** Outside, the container has another address, and its files are not there. */
function inContainer({ dataDir }: Config, addressInside: string): Words {
  const port = new URL(addressInside).port || '80';
  const address = `http://localhost:${port}`;
  // Docker and Podman name the host after the container, unless they are told another name.
  const container = /^[0-9a-f]{12}$/.test(hostname()) ? hostname() : 'CONTAINER';
  return {
    address,
    sample: 'sample.docx',
    before: [`curl -fsSO ${address}/sample.docx`],
    whereIs: (file) => `that "docker exec ${container} cat ${file}" prints`,
    command: `docker exec ${container} platen`,
    end: `The container's log keeps it.

The service has a Redis of its own, as REDIS_URL is not set. Its data go with the container, unless "docker run" gives it
a volume: -v platen:${dataDir}
If you published another port than ${port}, put that into the addresses.`,
  };
}

/** A path relative to where npm was called: npm changes into the project's folder, but passes the original one. */
function fromHere(path: string): string {
  return relative(process.env.INIT_CWD ?? process.cwd(), path);
}
