/** The page's states. */
import { all, byId, make } from '../elements.ts';
import { count, formatBytes, formatMilliseconds, formatWait } from '../format.ts';
import { type Converted, type ResultType, results } from './conversion.ts';
import type { Explanation } from './failures.ts';

type State = 'idle' | 'uploading' | 'converting' | 'done' | 'failed' | 'job';

const page = byId('try-it', HTMLElement);
const status = byId('status', HTMLElement);
const progress = byId('progress', HTMLProgressElement);
const phase = byId('phase', HTMLElement);
const retry = byId('retry', HTMLButtonElement);
const seePage = byId('see-page', HTMLButtonElement);
/** Of what is shown. */
let urls: string[] = [];
let countdown: ReturnType<typeof setInterval> | undefined;

/** Shows the parts of the page that belong to the state. */
export function enter(state: State): void {
  page.dataset.state = state;
  for (const part of all('[data-in]')) part.hidden = !part.dataset.in?.split(' ').includes(state);
  clearInterval(countdown);
  if (state !== 'done') release();
}

export function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

/** Screen readers are told once, not for every percent. */
export function announce(text: string): void {
  status.textContent = text;
}

export function showIdle(): void {
  enter('idle');
  announce('');
}

/** Back to the beginning, with the focus where the next step is. */
export function showCancelled(): void {
  showIdle();
  document.querySelector<HTMLElement>('[data-in="idle"] button')?.focus();
}

export function showUpload(fileName: string): void {
  enter('uploading');
  for (const name of all('[data-file-name]')) name.textContent = fileName;
  showProgress(0);
  announce(`Uploading ${fileName}`);
  byId('cancel', HTMLElement).focus();
}

/** @param part of the upload that has left, 0 to 1. */
export function showProgress(part: number): void {
  progress.value = part;
  phase.textContent = `Uploading … ${Math.round(part * 100)} %`;
}

/** The upload has left. @param what the service does now. */
export function showSent(what: 'Converting' | 'Storing'): void {
  enter('converting');
  // The duration is unknown: the bar is indeterminate.
  progress.removeAttribute('value');
  phase.textContent = `${what} …`;
  announce(what);
}

/** @param retryAfter seconds until another try makes sense. */
export function showFailure(
  fileName: string,
  { title, text, canRetry }: Explanation,
  { requestId, retryAfter = 0 }: { readonly requestId?: string; readonly retryAfter?: number },
): void {
  enter('failed');
  for (const name of all('[data-file-name]')) name.textContent = fileName;
  setText('failure-title', title);
  setText('failure-text', text);
  setText('request-id', requestId ?? '');
  byId('failure-request', HTMLElement).hidden = requestId === undefined;
  retry.hidden = !canRetry;
  // One way on is the first.
  byId('choose-another', HTMLElement).classList.toggle('primary', !canRetry);
  if (canRetry) countDown(retryAfter);
  announce('');
  byId('failure-title', HTMLElement).focus();
}

/** The button to try again says how long it has to wait. */
function countDown(seconds: number): void {
  const end = performance.now() + seconds * 1_000;
  const show = () => {
    const left = Math.ceil((end - performance.now()) / 1_000);
    retry.disabled = left > 0;
    retry.textContent = left > 0 ? `Try again in ${formatWait(left)}` : 'Try again';
    if (left <= 0) clearInterval(countdown);
  };
  countdown = setInterval(show, 250);
  show();
}

export function showResult(fileName: string, { content, type, pages, times, warnings }: Converted): void {
  enter('done');
  release();
  const url = urlOf(content);
  const name = resultName(fileName, type);
  const { name: what } = results[type];
  setText('result-title', name);
  setText('pages', String(pages));
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  setText('time', formatMilliseconds(total));
  for (const each of ['upload', 'queue', 'convert']) {
    setText(`time-${each}`, formatMilliseconds(times.get(each) ?? 0));
  }
  setText('size', formatBytes(content.size));
  const isWhole = warnings.loss.length === 0;
  byId('loss', HTMLElement).hidden = isWhole;
  byId('losses', HTMLUListElement).replaceChildren(...warnings.loss.map(listItem));
  const notes = byId('warnings', HTMLUListElement);
  notes.hidden = warnings.notes.length === 0;
  notes.replaceChildren(...warnings.notes.map(listItem));
  byId('links', HTMLElement).replaceChildren(
    Object.assign(make('a', 'button primary', `Download the ${what}`), { href: url, download: name }),
    Object.assign(make('a', 'button', 'Open in a new tab'), { href: url, target: '_blank' }),
  );
  if (type === 'image/png') showPicture(url);
  else showInViewer(url, name);
  const loss = isWhole ? '' : ', with loss';
  announce(`${count(pages, 'page')}, ${formatMilliseconds(total)}${loss}`);
  byId('result-title', HTMLElement).focus();
}

/** The name of a document's result. */
export function resultName(fileName: string, type: ResultType): string {
  return `${fileName.replace(/\.[^.]*$/, '') || 'document'}.${results[type].extension}`;
}

/** Has the button that shows the first page, where no PDF can be shown, fetch its picture. */
export function watchSeePage(fetchPicture: () => Promise<Blob | string>): void {
  seePage.addEventListener('click', async () => {
    if (seePage.ariaBusy === 'true') return;
    seePage.ariaBusy = 'true';
    const shown = urls;
    const picture = await fetchPicture();
    seePage.ariaBusy = null;
    // Another document may be shown by now.
    if (shown !== urls) return;
    if (typeof picture === 'string') setText('see-page-note', picture);
    else showPicture(urlOf(picture));
  });
}

/** The address of what the page has in memory, until something else is shown. */
function urlOf(content: Blob): string {
  const url = URL.createObjectURL(content);
  urls.push(url);
  return url;
}

const listItem = (text: string) => make('li', '', text);

/** Phones have no PDF viewer inside a page. */
function showInViewer(url: string, name: string): void {
  const isInline = navigator.pdfViewerEnabled;
  page.dataset.viewer = isInline ? 'inline' : 'none';
  setText('see-page-note', 'That counts as another document.');
  byId('no-viewer', HTMLElement).hidden = isInline;
  if (!isInline) return;
  // Without the previews of pages, where a viewer has them.
  const src = `${url}#navpanes=0`;
  byId('viewer', HTMLElement).replaceChildren(Object.assign(make('iframe'), { title: name, src }));
}

function showPicture(url: string): void {
  page.dataset.viewer = 'picture';
  byId('no-viewer', HTMLElement).hidden = true;
  const picture = Object.assign(make('img'), { alt: 'The first page', src: url });
  byId('viewer', HTMLElement).replaceChildren(picture);
}

/** Forgets what was shown. */
function release(): void {
  byId('viewer', HTMLElement).replaceChildren();
  for (const url of urls) URL.revokeObjectURL(url);
  urls = [];
}
