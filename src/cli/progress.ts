/** How far a command is, for people: a bar on a terminal, and nothing elsewhere. */
import { Format, MultiBar, type Options, type Params, Presets, type SingleBar } from 'cli-progress';
import { printable } from '../system/printable.ts';

/** What comes next is written over it. */
const GREETING = 'Looking for documents …\r';
/** Makes a terminal blank from the cursor on. */
const TO_END_OF_LINE = '\x1b[K';

/** How long it takes is unknown until the first document is done, and LibreOffice starts before it. */
function format(options: Options, params: Params, payload: object): string {
  const rest = params.value === 0 ? 'starting' : '{eta_formatted} left';
  return Format.Formatter(
    { ...options, format: `{bar} {value} of {total} documents, ${rest}` },
    params,
    payload,
  );
}

export class Progress {
  #bars: MultiBar | undefined;
  #bar: SingleBar | undefined;
  #isGreeting = false;

  /** Shows it, from the first call on: at once. */
  show(done: number, of: number): void {
    if (!process.stderr.isTTY) return;
    this.#bars ??= new MultiBar(
      {
        format,
        stream: process.stderr,
        clearOnComplete: true,
        // Otherwise the terminal cuts off the ends of lines above the bar.
        linewrap: true,
        // Commands end on signals in their own way.
        gracefulExit: false,
      },
      Presets.shades_classic,
    );
    this.#bar ??= this.#bars.create(of, 0);
    this.#bar.setTotal(of);
    this.#bar.update(done);
    this.#bars.update();
  }

  /** Says at once that something happens: to load the converter takes a while. */
  greet(): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(GREETING);
    this.#isGreeting = true;
  }

  /** Shows that work begins, before its first result. */
  begin({ documents, folder, isPipe }: { documents?: number; folder?: string; isPipe: boolean }): void {
    this.clear();
    if (documents !== undefined) this.show(0, documents);
    else if (!isPipe && process.stderr.isTTY) console.error(printable(`watching ${folder}`));
  }

  /** Prints a line of the result on stdout, above the bar. */
  print(line: string): void {
    // On a terminal both are in one place.
    if (this.#bars && process.stdout.isTTY) {
      this.#bars.log(`${line}\n`);
      // The bar keeps lines until then, and would drop the last ones.
      this.#bars.update();
    } else process.stdout.write(`${line}\n`);
  }

  /** Removes it. */
  clear(): void {
    this.#bars?.stop();
    this.#bars = undefined;
    this.#bar = undefined;
    if (this.#isGreeting) process.stderr.write(TO_END_OF_LINE);
    this.#isGreeting = false;
  }
}
