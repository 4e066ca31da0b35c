/** The page to try the service: a DOCX in, its PDF beside it; with an API key, several at once. */
import { curlCommand } from '../../shared/curl-command.ts';
import { enableCopying } from '../copy.ts';
import { byId } from '../elements.ts';
import { count } from '../format.ts';
import { startConversion } from './conversion.ts';
import { acceptDocuments, acceptSeveral } from './drop.ts';
import { explain, explainJob, type JobLimits, type Limits, misfit, tooLarge } from './failures.ts';
import { startJob } from './job.ts';
import { JobDesk } from './job-desk.ts';
import { apiKey, askForKey, hasJobs, watchKey } from './key.ts';
import { checkOptions, optionsQuery, watchOptions } from './options.ts';
import type { Outcome, Upload } from './upload.ts';
import {
  setText,
  showCancelled,
  showFailure,
  showIdle,
  showProgress,
  showResult,
  showSent,
  showUpload,
  watchSeePage,
} from './view.ts';

const {
  maxFileBytes,
  maxFile,
  perHour,
  perSecond,
  keyMaxFileBytes,
  keyMaxFile,
  maxFiles,
  maxJobBytes,
  maxJob,
  maxCombinedBytes,
  maxCombined,
} = byId('try-it', HTMLElement).dataset;
const limits: Limits = {
  maxFileBytes: Number(maxFileBytes),
  maxFile: String(maxFile),
  perHour: Number(perHour),
  perSecond: Number(perSecond),
};
const jobLimits: JobLimits = {
  maxFileBytes: Number(keyMaxFileBytes),
  maxFile: String(keyMaxFile),
  maxFiles: Number(maxFiles),
  maxBytes: Number(maxJobBytes),
  maxTotal: String(maxJob),
};
/** The same if the documents become one PDF. */
const combinedLimits: JobLimits = {
  ...jobLimits,
  maxBytes: Number(maxCombinedBytes),
  maxTotal: String(maxCombined),
};
/** The upload that is running. */
let current: Upload<unknown> | undefined;
let latest: { readonly files: readonly File[]; readonly query: string; readonly id: string } | undefined;
const desk = new JobDesk(jobLimits, showCancelled);

function take(files: readonly File[]): void {
  if (desk.isOpen) desk.refuse();
  if (current || desk.isOpen || !checkOptions()) return;
  const [file, ...others] = files;
  const key = apiKey();
  if (!file || (others.length > 0 && !hasJobs)) {
    showFailure('', explain({ code: 'NO_FILE' }, limits), {});
  } else if (key !== '') {
    void convertAll(files, key);
  } else if (others.length > 0) {
    note(files);
    showFailure(labelOf(files), explain({ code: 'NEEDS_KEY' }, limits), {});
    askForKey();
  } else if (file.size > limits.maxFileBytes) {
    showFailure(file.name, tooLarge(file, limits), {});
  } else {
    void convert(file);
  }
}

/** Notes what another try sends. The same documents again are the same job: an answer may have been lost. */
function note(files: readonly File[]) {
  const query = optionsQuery();
  const id = latest?.files === files && latest.query === query ? latest.id : newId();
  latest = { files, query, id };
  return latest;
}

function labelOf(files: readonly File[]): string {
  return files.length === 1 ? String(files[0]?.name) : count(files.length, 'document');
}

async function convert(file: File): Promise<void> {
  const { query } = note([file]);
  showUpload(file.name);
  const events = { onProgress: showProgress, onSent: () => showSent('Converting') };
  const outcome = await finish(startConversion(file, query, events));
  if (outcome.kind === 'done') {
    showResult(file.name, outcome.result);
  } else if (outcome.kind === 'failure') {
    showFailure(file.name, explain(outcome.failure, limits), outcome.failure);
  } else {
    showCancelled();
  }
}

/** The picture of the first page of the document whose PDF is shown, or why there is none. */
async function fetchPicture(): Promise<Blob | string> {
  const [file] = latest?.files ?? [];
  if (!file) return '';
  const query = `${latest?.query || '?'}&format=png`.replace('?&', '?');
  const events = { onProgress: () => {}, onSent: () => {} };
  const outcome = await startConversion(file, query, events).outcome;
  if (outcome.kind === 'done') return outcome.result.content;
  return outcome.kind === 'failure' ? explain(outcome.failure, limits).text : '';
}

async function convertAll(files: readonly File[], key: string): Promise<void> {
  const { query, id } = note(files);
  const label = labelOf(files);
  const limits = query.includes('combine=true') ? combinedLimits : jobLimits;
  const wrong = misfit(files, limits);
  if (wrong) return showFailure(label, wrong, {});
  showUpload(label);
  const events = { onProgress: showProgress, onSent: () => showSent('Storing') };
  const outcome = await finish(startJob({ files, query, key, idempotencyKey: id }, events));
  if (outcome.kind === 'done') {
    desk.show(outcome.result, key);
  } else if (outcome.kind === 'failure') {
    showFailure(label, explainJob(outcome.failure, limits), outcome.failure);
  } else {
    showCancelled();
  }
}

async function finish<Result>(upload: Upload<Result>): Promise<Outcome<Result>> {
  current = upload;
  const outcome = await upload.outcome;
  current = undefined;
  return outcome;
}

/** The same request from a terminal. */
function showCommand(): void {
  const url = (path: string) => `'${location.origin}${path}${chosen}'`;
  const isPicture = chosen.includes('format=png');
  const command = mayBeSeveral
    ? `curl --fail-with-body -H "Authorization: Bearer $PLATEN_API_KEY" -F file=@one.docx -F file=@two.docx ${url('/v1/jobs')}`
    : curlCommand(
        isPicture ? 'document.png' : 'document.pdf',
        `-F file=@document.docx ${url('/v1/public/convert')}`,
      );
  setText('curl', command);
}

/** crypto.randomUUID is there over TLS only. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join('-');
}

byId('cancel', HTMLElement).addEventListener('click', () => current?.cancel());
byId('retry', HTMLElement).addEventListener('click', () => take(latest?.files ?? []));
let [chosen, mayBeSeveral] = ['', false];
watchOptions((query) => {
  chosen = query;
  showCommand();
});
watchKey((hasKey) => {
  acceptSeveral(hasKey);
  mayBeSeveral = hasKey;
  chosen = optionsQuery();
  showCommand();
});
enableCopying();
acceptDocuments(take);
watchSeePage(fetchPicture);
showIdle();
