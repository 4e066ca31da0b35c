/**
 * Prints the results of tests without successes: a line for each finished file, and each failure in full. tap's own
 * reporters redraw the screen for each assertion, which took a sixth of the time of the quick tests.
 */
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Passed assertions and tests, plans, starts and ends of tests, and their times. */
const WELL = /^( +ok \d+(?!.* # (SKIP|TODO))|TAP version| *(1\.\.\d| *# Subtest: |\}?$)| +# time=)/;

export default class Reporter extends Transform {
  #decoder = new StringDecoder();
  /** The beginning of an incomplete line. */
  #rest = '';
  /** The last line of a failure's details, whose lines may be anything; empty outside of them. */
  #end = '';

  /** @override @type {Transform['_transform']} */
  _transform(chunk, _encoding, done) {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (this.#tells(line)) this.push(`${line}\n`);
    done();
  }

  /** @override @type {Transform['_flush']} */
  _flush(done) {
    if (this.#rest !== '' && this.#tells(this.#rest)) this.push(`${this.#rest}\n`);
    done();
  }

  /** @param {string} line */
  #tells(line) {
    if (this.#end === '') {
      if (/^ +---$/.test(line)) this.#end = line.replace('---', '...');
      return !WELL.test(line);
    }
    if (line === this.#end) this.#end = '';
    return true;
  }
}
