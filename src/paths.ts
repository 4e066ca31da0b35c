/**
 * Paths of this installation, whether it runs from `src/` or `dist/`. The build bundles modules, so no other file may look for
 * something beside itself.
 */
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, the parent of `src/` and `dist/`. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Built from `src/kit/`. */
export const kitFiles = {
  binary: join(root, 'dist/kit/platen-kit'),
  settings: join(root, 'dist/kit/kit.xcu'),
  /** LibreOffice's Java settings. */
  javaSettings: join(root, 'dist/kit/no-java.xml'),
  /** The menu bar of every window: an empty one. */
  menuBar: join(root, 'dist/kit/menubar.xml'),
  /** A plain page: the first document of a new user, the kit's warm-up, and the health probe's document. */
  sampleDocument: join(root, 'dist/kit/sample.docx'),
} as const;

/** Built by scripts/fonts. */
export const fontFiles = {
  /** Folder of the stand-ins. */
  made: join(root, 'dist.fonts/made'),
  /** fontconfig's rules for them. */
  rules: join(root, 'dist.fonts/rules.conf'),
  /** Widths of the letters of Word's fonts. */
  widths: join(root, 'dist.fonts/widths.json'),
} as const;

/** Starts soffice for the cold engine. */
export const coldSofficeScript = join(root, 'dist/engine/cold-soffice.sh');

/** The program of the process that connects to others' addresses, of the same kind as this file. */
export const egressProgram = fileURLToPath(
  new URL(`egress/main${extname(import.meta.url)}`, import.meta.url),
);

/** Its argument where a server starts it: it ends with its standard input, so also with a server that is killed. */
export const EMBEDDED = '--embedded';

/** Starts redis-server for the embedded Redis. */
export const redisServerScript = fileURLToPath(new URL('redis/redis-server.sh', import.meta.url));

/** The pages for a browser and their assets, see scripts/pages. */
export const pagesFolder = join(root, 'dist/pages');

/** The style of HTML reports about PDFs. */
export const reportStyle = new URL('cli/compare/report.css', import.meta.url);

/** Which fonts stand in for others. */
export const fontTable = join(root, 'dist/fonts.json');

/** package.json, for the version that the service reports. */
export const packageFile = join(root, 'package.json');

/** The Lua scripts, beside the code that runs them. */
export const luaFiles = {
  admit: new URL('accounts/limits/admit.lua', import.meta.url),
  reserveDocuments: new URL('accounts/limits/reserve-documents.lua', import.meta.url),
  renew: new URL('accounts/billing/renew.lua', import.meta.url),
  settle: new URL('accounts/billing/settle.lua', import.meta.url),
  keepConversion: new URL('accounts/billing/keep-conversion.lua', import.meta.url),
  takeJob: new URL('jobs/take-job.lua', import.meta.url),
  takeBytes: new URL('jobs/take-bytes.lua', import.meta.url),
  startFile: new URL('jobs/start-file.lua', import.meta.url),
  describeFile: new URL('jobs/describe-file.lua', import.meta.url),
  requeueFile: new URL('jobs/requeue-file.lua', import.meta.url),
  makeFile: new URL('jobs/make-file.lua', import.meta.url),
  endFile: new URL('jobs/end-file.lua', import.meta.url),
  cancelJob: new URL('jobs/cancel-job.lua', import.meta.url),
  removeJob: new URL('jobs/remove-job.lua', import.meta.url),
  expireJob: new URL('jobs/expire-job.lua', import.meta.url),
  addEndpoint: new URL('webhooks/add-endpoint.lua', import.meta.url),
  changeEndpoint: new URL('webhooks/change-endpoint.lua', import.meta.url),
  removeEndpoint: new URL('webhooks/remove-endpoint.lua', import.meta.url),
  rotateSecret: new URL('webhooks/rotate-secret.lua', import.meta.url),
  addDelivery: new URL('webhooks/add-delivery.lua', import.meta.url),
  repeatDelivery: new URL('webhooks/repeat-delivery.lua', import.meta.url),
  endAttempt: new URL('webhooks/end-attempt.lua', import.meta.url),
  noteTold: new URL('jobs/note-told.lua', import.meta.url),
  changeKey: new URL('accounts/keys/change-key.lua', import.meta.url),
  placeEnding: new URL('accounts/keys/place-ending.lua', import.meta.url),
  completeKey: new URL('accounts/keys/complete-key.lua', import.meta.url),
  changeAccount: new URL('accounts/keys/change-account.lua', import.meta.url),
  beginRemoval: new URL('accounts/keys/begin-removal.lua', import.meta.url),
  createKey: new URL('accounts/keys/create-key.lua', import.meta.url),
  rotate: new URL('accounts/keys/rotate.lua', import.meta.url),
  revoke: new URL('accounts/keys/revoke.lua', import.meta.url),
  recordAudit: new URL('operator/record-audit.lua', import.meta.url),
  recordRequests: new URL('operator/record-requests.lua', import.meta.url),
  recordStatistics: new URL('operator/record-statistics.lua', import.meta.url),
  changeMembers: new URL('members/change-members.lua', import.meta.url),
  sessionBegin: new URL('operator/session-begin.lua', import.meta.url),
  sessionUse: new URL('operator/session-use.lua', import.meta.url),
} as const;

/** What the processes that read documents run, of the same kind as this file. */
export const readerProgram = new URL(`convert/reading/reader${extname(import.meta.url)}`, import.meta.url);
