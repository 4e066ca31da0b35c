/** The page to try the service: a DOCX in, its PDF beside it. */
import { enableCopying } from '../copy.ts';
import { byId } from '../elements.ts';
import { type Conversion, startConversion } from './conversion.ts';
import { acceptDocuments } from './drop.ts';
import { explain, type Limits, tooLarge } from './failures.ts';
import { checkOptions, optionsQuery, watchOptions } from './options.ts';
import {
  showCancelled,
  showConverting,
  showFailure,
  showIdle,
  showPdf,
  showProgress,
  showUpload,
} from './view.ts';

const { maxFileBytes, maxFile, perHour, perSecond } = byId('try-it', HTMLElement).dataset;
const limits: Limits = {
  maxFileBytes: Number(maxFileBytes),
  maxFile: String(maxFile),
  perHour: Number(perHour),
  perSecond: Number(perSecond),
};
/** The one that is running. */
let current: Conversion | undefined;
let latest: File | undefined;

function take(file: File | undefined): void {
  if (current || !checkOptions()) return;
  if (!file) {
    showFailure('', explain({ code: 'NO_FILE' }, limits), {});
  } else if (file.size > limits.maxFileBytes) {
    showFailure(file.name, tooLarge(file, limits), {});
  } else {
    void convert(file);
  }
}

async function convert(file: File): Promise<void> {
  latest = file;
  showUpload(file.name);
  current = startConversion(file, optionsQuery(), { onProgress: showProgress, onSent: showConverting });
  const outcome = await current.outcome;
  current = undefined;
  if (outcome.kind === 'pdf') {
    showPdf(file.name, outcome.result);
  } else if (outcome.kind === 'failure') {
    showFailure(file.name, explain(outcome.failure, limits), outcome.failure);
  } else {
    showCancelled();
  }
}

byId('origin', HTMLElement).textContent = location.origin;
byId('cancel', HTMLElement).addEventListener('click', () => current?.cancel());
byId('retry', HTMLElement).addEventListener('click', () => take(latest));
watchOptions((query) => {
  byId('query', HTMLElement).textContent = query;
});
enableCopying();
acceptDocuments(take);
showIdle();
