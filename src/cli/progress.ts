/** How far a command is, for people: a bar on a terminal, and nothing elsewhere. */
import { MultiBar, Presets, type SingleBar } from 'cli-progress';

export class Progress {
  #bars: MultiBar | undefined;
  #bar: SingleBar | undefined;

  /** Shows it, from the first call on. */
  show(done: number, of: number): void {
    if (!process.stderr.isTTY) return;
    this.#bars ??= new MultiBar(
      {
        format: '{bar} {value} of {total} documents, {eta_formatted} left',
        stream: process.stderr,
        clearOnComplete: true,
        // Commands end on signals in their own way.
        gracefulExit: false,
      },
      Presets.shades_classic,
    );
    this.#bar ??= this.#bars.create(of, 0);
    this.#bar.setTotal(of);
    this.#bar.update(done);
  }

  /** Prints a line of the result on stdout, above the bar. */
  print(line: string): void {
    // On a terminal both are in one place.
    if (this.#bars && process.stdout.isTTY) this.#bars.log(`${line}\n`);
    else process.stdout.write(`${line}\n`);
  }

  /** Removes it. */
  clear(): void {
    this.#bars?.stop();
    this.#bars = undefined;
    this.#bar = undefined;
  }
}
