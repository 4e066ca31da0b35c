/** What converts a DOCX to a PDF, seen from the service: an engine that starts, converts and stops. */
import type { PdfaLevel } from './pdfa.ts';
import type { SandboxLayer } from './sandbox.ts';

/** One document to convert, in a folder of its own that nobody else uses. */
export interface Job {
  /** Unique among running jobs: letters, digits, `-` and `_`, at most 64. */
  readonly id: string;
  /** Absolute path of the folder. It holds `input.docx`; the engine leaves `output.pdf` in it. */
  readonly folder: string;
  /** The PDF is to be one for archives; any by default. */
  readonly pdfa?: PdfaLevel | undefined;
  /** The PDF is to have a named destination for each bookmark of the document. */
  readonly destinations?: boolean | undefined;
  /** Full-width punctuation may be narrower where a line holds more then. */
  readonly compressesPunctuation?: boolean | undefined;
}

/** Names inside a job's folder. */
export const INPUT_NAME = 'input.docx';
export const OUTPUT_NAME = 'output.pdf';

/** What a conversion took. */
export interface Conversion {
  /** Peak resident size of the process that converted, in bytes; undefined where the engine cannot tell. */
  readonly peakBytes: number | undefined;
  /** Pages that were laid out; undefined where the engine cannot tell. */
  readonly pages: number | undefined;
  /** CPU time of that process, in milliseconds; undefined where the engine cannot tell. */
  readonly cpuMs: number | undefined;
  /** Attempts it took: one more where the engine died, the process was killed from outside, or tagging crashed it. */
  readonly attempts: number;
  /** Whether the PDF is tagged: it is not where LibreOffice crashed when it was to tag it. */
  readonly tagged: boolean;
}

/** How an engine is, for the log and for the operator. */
export interface EngineStatus {
  readonly engine: 'kit' | 'cold';
  /** Whether a job given now would start at once. */
  readonly ready: boolean;
  /** Version of LibreOffice; undefined while unknown. */
  readonly libreOffice: string | undefined;
  /** Process of the warm LibreOffice, where there is one. */
  readonly pid: number | undefined;
  /** The layers that keep a document from the rest of the system; none active before the start. */
  readonly sandbox: readonly SandboxLayer[];
  /** Kits that took over since because one had died, did not answer or was ended. */
  readonly restarts: number;
  /** Kits that took over from one that was well enough to finish its jobs. */
  readonly renewals: number;
  /** Processes that wait for a document, and that work on one. */
  readonly children: { readonly idle: number; readonly running: number };
  /** Documents that the engine began to convert since the start; an attempt after the first is not counted. */
  readonly documents: number;
}

export interface Engine {
  /** Resolves when the engine can take jobs. Rejects with an OperatorError when it cannot be started. */
  start(): Promise<void>;

  /**
   * Converts one document. Settles only when nothing of the engine touches the job's folder any more.
   *
   * @param signal ends the conversion; the promise then rejects with the signal's reason.
   * @throws PlatenError `CORRUPTED_FILE` when the document cannot be loaded, `CONVERSION_FAILED` when the
   * engine crashed on it or used up its budget, `SERVICE_UNAVAILABLE` when there is no engine to run it, or when
   * something outside killed its process twice.
   */
  convert(job: Job, signal: AbortSignal): Promise<Conversion>;

  status(): EngineStatus;

  /** Ends every process of the engine. Running conversions reject. */
  stop(): Promise<void>;
}
