/**
 * What the tests say, without what went well: a line of each file that ended, and all of each failure. tap's own
 * reporters draw the screen anew for each assertion, which took a sixth of the time of the quick tests.
 */
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Passed assertions and tests, plans, names of tests that begin, the ends of them, and the time that each took. */
const WELL = /^( +ok \d+(?!.* # (SKIP|TODO))|TAP version| *(1\.\.\d| *# Subtest: |\}?$)| +# time=)/;

export default class Reporter extends Transform {
  #decoder = new StringDecoder();
  /** Begins a line that has not ended. */
  #rest = '';
  /** Ends what explains a failure, in which lines may be anything; empty outside. */
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
