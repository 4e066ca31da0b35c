/** The job that the page shows, from its answer to its removal. */
import type { Job } from './api-types.ts';
import type { JobLimits } from './failures.ts';
import { follow } from './follow.ts';
import { JobFailure, TakenJob } from './job.ts';
import { JobView, nameOf } from './job-view.ts';
import { apiKey } from './key.ts';
import { pdfName } from './view.ts';

/** A browser reads what it saves before that. */
const SAVED_MS = 60_000;

export class JobDesk {
  readonly #view: JobView;
  #taken = new TakenJob('', '');
  #isOpen = false;

  /** @param left is called when the job is deleted. */
  constructor(limits: JobLimits, left: () => void) {
    this.#view = new JobView(limits, {
      savePdf: async (file) => save(await this.#taken.pdf(file.number), pdfName(nameOf(file))),
      saveArchive: async () => save(await this.#taken.archive(), `${this.#taken.id}.zip`),
      cancel: async () => this.#view.showFiles(await this.#taken.cancel()),
      remove: async () => {
        await this.#taken.remove();
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

  /** Whether the page follows a job that has not ended. */
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
    this.#isOpen = true;
    addEventListener('beforeunload', askToStay);
    try {
      await follow(this.#taken, {
        onProgress: (job) => this.#view.showProgress(job),
        onFiles: (job) => this.#view.showFiles(job),
        onLoss: (failure, seconds) => this.#view.showLoss(failure, seconds),
      });
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      this.#view.showFailure(error.failure, true);
    } finally {
      this.#isOpen = false;
      removeEventListener('beforeunload', askToStay);
    }
  }
}

/** Only this page knows the job. */
function askToStay(event: Event): void {
  event.preventDefault();
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
}
