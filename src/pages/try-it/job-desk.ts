/** The job that the page shows, from its answer to its removal. */
import { make } from '../elements.ts';
import type { Job, JobSummary } from './api-types.ts';
import type { JobLimits } from './failures.ts';
import { follow } from './follow.ts';
import { isOpen, JobFailure, TakenJob } from './job.ts';
import { JobView, nameOf } from './job-view.ts';
import { apiKey } from './key.ts';
import { resultName } from './view.ts';

/** A browser reads what it saves before that. */
const SAVED_MS = 60_000;

export class JobDesk {
  readonly #view: JobView;
  #taken = new TakenJob('', '');
  #isOpen = false;

  /** @param left is called when the job is deleted. */
  constructor(limits: JobLimits, left: () => void) {
    this.#view = new JobView(limits, {
      fetch: (file, type) => this.#taken.result(file.number, type),
      save: async (file, type) =>
        save(await this.#taken.result(file.number, type), resultName(nameOf(file), type)),
      saveArchive: async () => save(await this.#taken.archive(), `${this.#taken.id}.zip`),
      cancel: async () => {
        const job = await this.#taken.cancel();
        this.#setOpen(isOpen(job));
        this.#view.showFiles(job);
      },
      remove: async () => {
        await this.#taken.remove().catch(unlessGone);
        left();
      },
      again: async () => {
        // It may be another key by now.
        this.#taken = new TakenJob(this.#taken.id, apiKey());
        this.#view.showFiles(await this.#taken.read());
        void this.#follow();
      },
    });
  }

  /** Whether the job that is shown goes on, as far as is known. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param key that sent it. */
  show(job: Job, key: string): void {
    this.#taken = new TakenJob(job.id, key);
    this.#view.show(job);
    void this.#follow();
  }

  /** Other documents came while the job is open. */
  refuse(): void {
    this.#view.showBusy();
  }

  async #follow(): Promise<void> {
    const taken = this.#taken;
    /** By the time that this job is heard of, another one may be shown. */
    const ifShown = (show: () => void) => {
      if (this.#taken === taken) show();
    };
    const tell = (job: JobSummary, show: () => void) =>
      ifShown(() => {
        this.#setOpen(isOpen(job));
        show();
      });
    this.#setOpen(true);
    try {
      await follow(taken, {
        onProgress: (job) => tell(job, () => this.#view.showProgress(job)),
        onFiles: (job) => tell(job, () => this.#view.showFiles(job)),
        onLoss: (failure, seconds) => ifShown(() => this.#view.showLoss(failure, seconds)),
      });
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      ifShown(() => this.#view.showFailure(error.failure, true));
    } finally {
      ifShown(() => this.#setOpen(false));
    }
  }

  #setOpen(open: boolean): void {
    this.#isOpen = open;
    if (open) addEventListener('beforeunload', askToStay);
    else removeEventListener('beforeunload', askToStay);
  }
}

/** A job that is gone already counts as deleted. */
function unlessGone(error: unknown): void {
  if (!(error instanceof JobFailure) || error.failure.code !== 'NOT_FOUND') throw error;
}

/** Only this page knows the job. */
function askToStay(event: Event): void {
  event.preventDefault();
}

function save(content: Blob, name: string): void {
  const link = Object.assign(make('a'), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}
