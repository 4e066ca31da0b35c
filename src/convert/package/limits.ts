/** The limits of a package, and the account of what reading one has used. */
import { threadTimeMs } from '../../system/thread-time.ts';
import { beyondLimits, tooLongToRead } from './refusal.ts';

/** One MB is 1,048,576 bytes. */
const MEGABYTE = 1_048_576;

const MAX_ENTRIES = 2_000;
/** Largest XML part, inflated. */
export const MAX_XML_BYTES = 50 * MEGABYTE;
/** All parts together, inflated, including nested packages. */
const MAX_PACKAGE_BYTES = 200 * MEGABYTE;
export const MAX_PIXELS = 100_000_000;
export const MAX_TABLE_DEPTH = 50;
/** Word nests some ten elements per table; libxml2 reads no more than 256 or 2,048, depending on its version. */
export const MAX_ELEMENT_DEPTH = 500;
/**
 * Attributes of an element and its ancestors, namespace declarations included; libxml2 compares each pair. Word
 * writes some 50.
 */
export const MAX_ATTRIBUTES = 2_000;
/**
 * Text of a paragraph. The engine breaks lines in quadratic time: a second at the limit. Long real paragraphs have 5
 * kB.
 */
export const MAX_PARAGRAPH_BYTES = 131_072;
/** Styles. Word allows 4,079 user styles, real documents have some 200; the engine takes quadratic time. */
export const MAX_STYLES = 4_096;
/** Levels of style inheritance. Word allows 11. */
export const MAX_STYLE_CHAIN = 100;
/** Data nodes that the engine may visit for all bindings of a document: a few seconds. */
export const MAX_BINDING_VISITS = 20_000_000;
/**
 * Number of bindings that may point to data as long as a paragraph. With more bindings the data must be shorter, as
 * they take quadratic time.
 */
export const MAX_LONG_BINDINGS = 10;
/** Levels of packages inside packages that the engine would open. */
export const MAX_PACKAGE_DEPTH = 2;
/**
 * Time by the clock, and then of the processor, of one thread for reading one package; what zlib's threads inflate is limited by size. Honest packages at
 * the other limits take a third of it.
 */
export const MAX_READING_MS = 10_000;

/** Counts the work of reading one upload, including nested packages. */
export class Allowance {
  readonly #timeMs: number;
  /** By the clock. Processor time is read only after it, and counts from then on: reading it costs as much as a small document. */
  readonly #deadline: number;
  #startMs: number | undefined;
  #bytes = 0;
  #entries = 0;

  /** @param timeMs limit of this thread's processor time, in milliseconds, once as much time has passed by the clock. */
  constructor(timeMs = MAX_READING_MS) {
    this.#timeMs = timeMs;
    this.#deadline = performance.now() + timeMs;
  }

  /**
   * Call before reading a package's directory.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  assertEntries(count: number): void {
    if (this.#entries + count <= MAX_ENTRIES) return;
    throw beyondLimits('too-many-entries', `has more than ${MAX_ENTRIES} parts`);
  }

  /** Call before reading the entries; throws as `assertEntries`. */
  takeEntries(count: number): void {
    this.assertEntries(count);
    this.#entries += count;
  }

  /**
   * Call before inflating bytes.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes <= MAX_PACKAGE_BYTES) return;
    throw beyondLimits(
      'package-too-large',
      `is larger than ${MAX_PACKAGE_BYTES / MEGABYTE} MB when it is unpacked`,
    );
  }

  /**
   * Call regularly: ends the reading when its time is up.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  check(): void {
    if (performance.now() <= this.#deadline) return;
    this.#startMs ??= threadTimeMs();
    if (threadTimeMs() - this.#startMs < this.#timeMs) return;
    throw tooLongToRead();
  }
}

/**
 * Checks the size of an XML part.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export function assertXmlSize(bytes: number): void {
  if (bytes <= MAX_XML_BYTES) return;
  throw beyondLimits('part-too-large', `has a part of more than ${MAX_XML_BYTES / MEGABYTE} MB of XML`);
}
