/** What a package may hold, and the account of what the reading of one has used up. */
import { beyondLimits } from './refusal.ts';

/** A MB of the limits is 1,048,576 bytes. */
const MEGABYTE = 1_048_576;

export const MAX_ENTRIES = 2_000;
/** Largest XML part, inflated. */
export const MAX_XML_BYTES = 50 * MEGABYTE;
/** All parts together, inflated, those of nested packages included. */
export const MAX_PACKAGE_BYTES = 200 * MEGABYTE;
export const MAX_PIXELS = 100_000_000;
export const MAX_TABLE_DEPTH = 50;
/** Word nests some ten elements a table; libxml2 itself reads no more than 256 or 2,048, as its version is. */
export const MAX_ELEMENT_DEPTH = 500;
/** Of an element and all that it is in, declarations of namespaces included; libxml2 compares each with each. Word writes some 50. */
export const MAX_ATTRIBUTES = 2_000;
/** Text of a paragraph. The engine breaks it into lines in quadratic time: a second at the limit. Long ones have 5 kB. */
export const MAX_PARAGRAPH_BYTES = 131_072;
/** Word has no more than 4,079 of its user's, and documents some 200; they take the engine quadratic time. */
export const MAX_STYLES = 4_096;
/** Styles based on each other. Word allows 11. */
export const MAX_STYLE_CHAIN = 100;
/** Nodes of its data that a document's bindings may have the engine look at: a few seconds. */
export const MAX_BINDING_VISITS = 20_000_000;
/** So many bindings may lead to data as long as a paragraph may be; more to shorter ones, as that takes quadratic time. */
export const MAX_LONG_BINDINGS = 10;
/** Packages inside packages that the engine would open. */
export const MAX_PACKAGE_DEPTH = 2;
/** How long the reading of one package may take. Honest ones at the other limits take a third of it. */
export const MAX_READING_MS = 10_000;

/** Up to here a package is read at once, in the thread that serves requests: about two milliseconds. */
const LIGHT_BYTES = 393_216;
const LIGHT_ENTRIES = 150;
/** What is parsed, directories and descriptions of packages, takes ten times as long as what is scanned. */
const LIGHT_PARSED_BYTES = 49_152;
/** What the headers of pictures are read in: a millisecond's worth. Ordinary ones have some dozens. */
const LIGHT_STEPS = 4_096;

/** The package is too heavy for the thread that serves requests. */
export class TooHeavy extends Error {
  override readonly name = 'TooHeavy';
}

/** Counts what one upload takes to read, the packages nested in it included. */
export class Allowance {
  readonly #light: boolean;
  readonly #signal: AbortSignal;
  readonly #deadline: number;
  #bytes = 0;
  #entries = 0;
  #parsed = 0;
  #steps = 0;
  #exempt = 0;

  /**
   * @param light whether what is more than light is to be left to another thread.
   * @param timeMs how long it may take, from now on.
   */
  constructor(light: boolean, signal: AbortSignal, timeMs = MAX_READING_MS) {
    this.#light = light;
    this.#signal = signal;
    this.#deadline = performance.now() + timeMs;
  }

  /**
   * Before the directory of a package is read.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   * @throws TooHeavy
   */
  assertEntries(count: number): void {
    if (this.#entries + count > MAX_ENTRIES) {
      throw beyondLimits('too-many-entries', `has more than ${MAX_ENTRIES} parts`);
    }
    if (this.#light && this.#entries + count > LIGHT_ENTRIES) throw new TooHeavy();
  }

  /** Before the entries are read; as `assertEntries`. */
  takeEntries(count: number): void {
    this.assertEntries(count);
    this.#entries += count;
  }

  /**
   * Before bytes are parsed: a directory, or XML that describes the package.
   *
   * @throws TooHeavy
   */
  takeParsed(count: number): void {
    this.#parsed += count;
    if (this.#light && this.#parsed > LIGHT_PARSED_BYTES) throw new TooHeavy();
  }

  /**
   * Before one more piece of a picture's headers is looked at.
   *
   * @throws TooHeavy
   */
  takeStep(): void {
    this.#steps += 1;
    if (this.#light && this.#steps > LIGHT_STEPS) throw new TooHeavy();
  }

  /**
   * Before anything of a package is inflated, so much as it says it holds.
   *
   * @throws TooHeavy
   */
  assertLight(count: number): void {
    if (this.#light && this.#bytes - this.#exempt + count > LIGHT_BYTES) throw new TooHeavy();
  }

  /** Parts that were checked while they arrived are exempt, as they are not read again. */
  exempt(count: number): void {
    this.#exempt += count;
  }

  /**
   * Before a package is written anew, for which all of it is read.
   *
   * @throws TooHeavy
   */
  assertLightToCopy(): void {
    this.#exempt = 0;
    this.assertLight(0);
  }

  /**
   * Before bytes are inflated.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   * @throws TooHeavy
   */
  takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > MAX_PACKAGE_BYTES) {
      throw beyondLimits(
        'package-too-large',
        `is larger than ${MAX_PACKAGE_BYTES / MEGABYTE} MB when it is unpacked`,
      );
    }
    this.assertLight(0);
  }

  /**
   * Now and then: ends the reading when its time is up or nobody waits for it.
   *
   * @throws PlatenError `CORRUPTED_FILE`; the signal's reason when aborted.
   */
  check(): void {
    this.#signal.throwIfAborted();
    if (performance.now() > this.#deadline) throw beyondLimits('time', 'takes too long to read');
  }
}

/**
 * The size of an XML part must be within its limit.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export function assertXmlSize(bytes: number): void {
  if (bytes <= MAX_XML_BYTES) return;
  throw beyondLimits('part-too-large', `has a part of more than ${MAX_XML_BYTES / MEGABYTE} MB of XML`);
}
