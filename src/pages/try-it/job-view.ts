/** The state of the page that shows a job. */
import { byId, make } from '../elements.ts';
import { count, formatBytes, formatWait } from '../format.ts';
import type { Job, JobFile, JobSummary } from './api-types.ts';
import { type ResultType, results } from './conversion.ts';
import { explainJob, type Failure, type JobLimits } from './failures.ts';
import { isCombined, isOpen, JobFailure, resultTypeOf } from './job.ts';
import { announce, enter, resultName, setText } from './view.ts';

const title = byId('job-title', HTMLElement);
const progress = byId('job-progress', HTMLProgressElement);
const list = byId('job-files', HTMLUListElement);
const notice = byId('job-notice', HTMLElement);
const again = byId('job-again', HTMLButtonElement);
const archive = byId('job-archive', HTMLButtonElement);
const cancel = byId('job-cancel', HTMLButtonElement);
const remove = byId('job-delete', HTMLButtonElement);
const choose = byId('job-choose', HTMLButtonElement);

/** Number of the PDF of all files. */
const WHOLE = 0;

/** What a row is about: a file, or the PDF of all. */
type Row = Pick<JobFile, 'number' | 'name' | 'state' | 'pdf' | 'error'>;

/** What the buttons do. @throws JobFailure */
interface JobActions {
  /** The result of a file. */
  fetch(file: Row, type: ResultType): Promise<Blob>;
  save(file: Row, type: ResultType): Promise<void>;
  saveArchive(): Promise<void>;
  cancel(): Promise<void>;
  remove(): Promise<void>;
  /** Follows the job again. */
  again(): Promise<void>;
}

export class JobView {
  readonly #limits: JobLimits;
  readonly #actions: JobActions;
  /** The states of the files that are shown, and their rows, by number. */
  readonly #rows = new Map<number, { readonly state: string; readonly row: HTMLElement }>();

  constructor(limits: JobLimits, actions: JobActions) {
    this.#limits = limits;
    this.#actions = actions;
    this.#does(again, () => actions.again());
    this.#does(archive, () => actions.saveArchive());
    this.#does(cancel, () => actions.cancel());
    this.#does(remove, async () => {
      if (confirm('Delete the job and its results?')) await actions.remove();
    });
  }

  /** A job that was taken just now. */
  show(job: Job): void {
    enter('job');
    this.#rows.clear();
    list.replaceChildren();
    setText('job-id', job.id);
    this.showFiles(job);
    title.focus();
  }

  showProgress(job: JobSummary): void {
    const { succeeded, failed, canceled, queued, running } = job.counts;
    const ended = succeeded + failed + canceled;
    const all = ended + queued + running;
    const open = isOpen(job);
    const said = open ? `Converting ${count(all, 'document')} …` : endOf(job, all);
    if (title.textContent !== said) announce(said);
    title.textContent = said;
    progress.max = all;
    progress.value = ended;
    progress.hidden = !open;
    setText('job-phase', open ? `${ended} of ${all} done` : '');
    const loses = !open && document.activeElement === cancel;
    cancel.hidden = !open;
    remove.hidden = open;
    choose.hidden = open;
    archive.hidden = open || succeeded === 0 || job.state === 'expired' || isCombined(job);
    if (loses) title.focus();
    this.#notify('');
  }

  /** The state of each file. A row is made anew when its state changes, so that no button loses the focus. */
  showFiles(job: Job): void {
    for (const file of [...job.files, ...wholeOf(job)]) {
      const before = this.#rows.get(file.number);
      if (before?.state === file.state) continue;
      const row = this.#row(file, job);
      if (before) before.row.replaceWith(row);
      else if (file.number === WHOLE) list.prepend(row);
      else list.append(row);
      this.#rows.set(file.number, { state: file.state, row });
    }
    this.showProgress(job);
  }

  /** @param seconds until the service is asked again. */
  showLoss(failure: Failure, seconds: number): void {
    const { title: what } = explainJob(failure, this.#limits);
    this.#notify(`${what}. The job does not need this page, which asks again in ${formatWait(seconds)}.`);
  }

  /** What did not work, and will not by itself. @param canFollow whether the job is to be followed again. */
  showFailure(failure: Failure, canFollow = !again.hidden): void {
    const { title: what, text } = explainJob(failure, this.#limits);
    const { requestId } = failure;
    const id = requestId === undefined ? '' : ` (Request id: ${requestId})`;
    this.#notify(`${what}. ${text}${id}`);
    again.hidden = !canFollow;
    if (canFollow) choose.hidden = false;
  }

  /** Other documents came while the job goes on. */
  showBusy(): void {
    this.#notify('Wait until this job has ended, or cancel it. Then choose the other documents again.');
  }

  #notify(text: string): void {
    notice.hidden = text === '';
    again.hidden = true;
    setText('job-notice-text', text);
  }

  #row(file: Row, job: Job): HTMLElement {
    const type = resultTypeOf(job);
    const label = make('bdi', 'file-name', nameOf(file));
    const row = make('li', '', label, make('span', 'faint', this.#stateOf(file)));
    const { pdf } = file;
    const error = ownError(file);
    if (error) row.append(make('p', 'faint', withName(explainJob(error, this.#limits).text, job)));
    if (!pdf) return row;
    const saved = make('span', 'visually-hidden', ` ${resultName(nameOf(file), type)}`);
    const button = make('button', 'button small', 'Download', saved);
    this.#does(button, () => this.#actions.save(file, type));
    row.append(button);
    if (type === 'image/png') row.append(this.#thumbnail(file, type));
    // A font with the same metrics changes nothing that can be seen.
    const warnings = pdf.warnings.filter(({ metricsCompatible }) => !metricsCompatible);
    for (const [level, name] of [
      ['loss', 'warnings loss'],
      ['note', 'warnings'],
    ] as const) {
      const told = warnings.filter((warning) => warning.level === level);
      if (told.length === 0) continue;
      row.append(make('ul', name, ...told.map(({ message }) => make('li', '', withName(message, job)))));
    }
    return row;
  }

  /** The picture of a file, which is fetched once it comes into view. */
  #thumbnail(file: Row, type: ResultType): HTMLElement {
    const picture = make('img', 'thumbnail');
    picture.alt = '';
    const observer = new IntersectionObserver(async (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // Without it, the picture can still be downloaded.
      const content = await this.#actions.fetch(file, type).catch(() => undefined);
      if (!content) return;
      picture.src = URL.createObjectURL(content);
      picture.addEventListener('load', () => URL.revokeObjectURL(picture.src), { once: true });
    });
    observer.observe(picture);
    return picture;
  }

  #stateOf(file: Row): string {
    const { state, pdf } = file;
    const error = ownError(file);
    if (pdf) return `${count(pdf.pages, 'page')}, ${formatBytes(pdf.bytes)}`;
    if (error) return explainJob(error, this.#limits).title;
    return states[state] ?? state;
  }

  /** Has a button act, once at a time; it keeps the focus meanwhile. */
  #does(button: HTMLButtonElement, act: () => Promise<void>): void {
    button.addEventListener('click', async () => {
      if (button.ariaBusy === 'true') return;
      button.ariaBusy = 'true';
      try {
        await act();
      } catch (error) {
        if (!(error instanceof JobFailure)) throw error;
        this.showFailure(error.failure);
      } finally {
        button.ariaBusy = null;
      }
    });
  }
}

const states: Readonly<Record<string, string>> = {
  queued: 'Waiting',
  running: 'Being converted',
  canceled: 'Cancelled',
  // Of files that become one PDF.
  succeeded: 'In the PDF',
  failed: 'Without a PDF',
};

/** The PDF of all files, as if it were that of one; none unless they have become one. */
function wholeOf({ pdf }: Job): Row[] {
  return pdf ? [{ number: WHOLE, name: 'combined.pdf', state: 'succeeded', pdf, error: null }] : [];
}

/** Why there is no PDF, if that is because of this file. */
function ownError({ number, error }: Row): Row['error'] {
  return error?.file === undefined || error.file === number - 1 ? error : null;
}

/** What is said of one of several documents, with its name in place of its number. */
function withName(message: string, { files }: Job): string {
  return message.replace(/^files\[(\d+)\]/, (place, index) => {
    const file = files[Number(index)];
    return file ? nameOf(file) : place;
  });
}

export function nameOf({ number, name }: Row): string {
  return name ?? `Document ${number}`;
}

function endOf(job: JobSummary, all: number): string {
  const { state, counts } = job;
  const { name } = results[resultTypeOf(job)];
  if (state === 'expired') return `The ${name}s were removed`;
  const made = count(isCombined(job) ? Math.min(counts.succeeded, 1) : counts.succeeded, name);
  const isEach = counts.succeeded === all && !isCombined(job);
  const said = isEach ? made : `${made} of ${count(all, 'document')}`;
  return state === 'canceled' ? `Cancelled: ${said}` : said;
}
