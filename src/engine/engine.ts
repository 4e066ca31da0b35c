/** The interface of engines, which convert a DOCX to a PDF, and draw its pages. */
import type { Background, Isolation } from '../shared/options/conversion-options.ts';
import type { Export } from './export-options.ts';
import type { SandboxLayer } from './sandbox.ts';

/** A document in a folder of its own. */
export interface Job {
  /** Unique among running jobs: letters, digits, `-` and `_`, at most 64. */
  readonly id: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Whether it runs only when no other process needs the processor. */
  readonly isPatient?: boolean | undefined;
}

/** A document to convert: the folder holds `input.docx`, and the engine leaves `output.pdf` in it. */
export interface ConversionJob extends Job {
  /** A tagged PDF without options by default. */
  readonly export?: Export | undefined;
  /** Whether to update fields and indexes first. */
  readonly updatesFields?: boolean | undefined;
  /** Whether full-width punctuation may be compressed. */
  readonly compressesPunctuation?: boolean | undefined;
  /** Whether there is no gap between East Asian letters and others. The cold engine always has one. */
  readonly joinsScripts?: boolean | undefined;
  /** Whose document it is: one process may convert several of one owner. By default it has a process of its own. */
  readonly owner?: string | undefined;
  /** The time in the PDF, in seconds since the epoch; by default, that of the export. */
  readonly clock?: number | undefined;
}

/** A PDF to work on: the folder holds `unfinished.pdf`, and the engine leaves `output.pdf` in it. */
export interface FinishingJob extends Job {
  /** A job of qpdf's (JSON), without its input and output. */
  readonly qpdf: Readonly<Record<string, unknown>>;
  /** Whether to mend it as PDF/UA first. The cold engine cannot; see option-limits.ts. */
  readonly isAccessible?: boolean | undefined;
  /** Opens the finished PDF; none by default. */
  readonly password?: string | undefined;
}

/** A page of a PDF to draw: the folder holds `unfinished.pdf`, and the engine leaves a picture in it. */
export interface PictureJob extends Job {
  /** Its number, from 1. */
  readonly page: number;
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly height: number;
  /** What is where the page has nothing. */
  readonly background: Background;
}

/** Names inside a job's folder. */
export const INPUT_NAME = 'input.docx';
export const OUTPUT_NAME = 'output.pdf';
export const PICTURE_NAME = 'output.png';
export const BITMAP_NAME = 'output.ppm';
export const UNFINISHED_NAME = 'unfinished.pdf';
export const ACCESSIBLE_NAME = 'accessible.pdf';

/** What the engine leaves of a page: a bitmap (PPM, netpbm), which is compressed later, or a PNG with opacity. */
export const pictureNames = {
  white: BITMAP_NAME,
  transparent: PICTURE_NAME,
} as const satisfies Record<Background, string>;

/** Figures of a conversion. */
export interface Conversion {
  /** Peak resident size of the process that converted, in bytes; undefined if the engine cannot tell. */
  readonly peakBytes: number | undefined;
  /** Pages that were laid out; undefined if the engine cannot tell. */
  readonly pages: number | undefined;
  /** CPU time of that process, in milliseconds; undefined if the engine cannot tell. */
  readonly cpuMs: number | undefined;
  /** Number of attempts: more than one if the engine died, the process was killed from outside, or tagging crashed it. */
  readonly attempts: number;
  /** Whether the PDF is tagged: not if LibreOffice crashed while tagging. */
  readonly tagged: boolean;
  /** `account`: the process could convert several documents of one owner. */
  readonly isolation: Isolation;
}

/** State of an engine, for log and operator. */
export interface EngineStatus {
  readonly engine: 'kit' | 'cold';
  /** Whether a job given now would start at once. */
  readonly ready: boolean;
  /** Version of LibreOffice; undefined before the start. */
  readonly libreOffice: string | undefined;
  /** Version of the fonts, see font-set.ts; undefined while unknown. */
  readonly fontSet: string | undefined;
  /** Version of poppler, which draws pictures; undefined before the start, and where its programs are missing. */
  readonly poppler: string | undefined;
  /** Process of the warm LibreOffice, if any. */
  readonly pid: number | undefined;
  /** The sandbox's layers; none active before the start. */
  readonly sandbox: readonly SandboxLayer[];
  /** Kits replaced because one died, hung or was ended. */
  readonly restarts: number;
  /** Kits replaced on purpose, while the old one could finish its jobs. */
  readonly renewals: number;
  /** Documents of one owner that a process may convert, one after the other. */
  readonly documentsPerChild: number;
  /** Processes that wait for a document, and that convert one. */
  readonly children: { readonly idle: number; readonly running: number };
  /** Documents that the engine began to convert, without repeated attempts. */
  readonly documents: number;
}

export interface Engine {
  /** Resolves when the engine can take jobs. Rejects with an OperatorError when it cannot be started. */
  start(): Promise<void>;

  /**
   * Converts one document. Settles only when no process of the engine uses the job's folder any more.
   *
   * @param signal ends the conversion; the promise then rejects with the signal's reason.
   * @throws PlatenError `CORRUPTED_FILE` when the document cannot be loaded, `CONVERSION_FAILED` when the
   * engine crashed on it or used up its budget, `SERVICE_UNAVAILABLE` when there is no engine to run it, or its
   * process was killed from outside twice.
   */
  convert(job: ConversionJob, signal: AbortSignal): Promise<Conversion>;

  /**
   * Works on a PDF with qpdf, where {@link convert} would convert: the PDF is shaped by a document. Settles as `convert` does.
   *
   * @returns the finished PDF's page count, which qpdf read from it.
   * @throws PlatenError as `convert`.
   */
  finish(job: FinishingJob, signal: AbortSignal): Promise<number>;

  /**
   * Draws a page of a PDF, where {@link convert} would convert. Settles as `convert` does; the picture may be anything.
   *
   * @throws PlatenError as `convert`.
   */
  draw(job: PictureJob, signal: AbortSignal): Promise<void>;

  status(): EngineStatus;

  /** Ends every process of the engine. Running conversions reject. */
  stop(): Promise<void>;
}
