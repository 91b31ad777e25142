import { Writable } from 'node:stream';
import type { Options, SingleBar } from 'cli-progress';
import type { OutputStream, Terminal } from './terminal.js';

/** How far some work is. */
export interface ProgressBar {
  /** Call it as often as you like; the bar is drawn a few times a second. Without a total it only counts. */
  at(done: number, total?: number): void;
}

/** Work that ends sooner is not worth a bar. */
const WAIT_MS = 1000;
const BAR_WIDTH = 30;

/** Bars on standard error while work takes a while, where somebody sees them. They leave nothing behind. */
export class Progress {
  readonly #stderr: OutputStream;
  readonly #isShown: boolean;
  /** Whether results go to the same screen. */
  readonly #sharesScreen: boolean;

  constructor(terminal: Terminal, { quiet }: { quiet: boolean }) {
    this.#stderr = terminal.raw.stderr;
    this.#isShown = terminal.isWatched && !quiet;
    this.#sharesScreen = terminal.hasReader;
  }

  /**
   * @param title what is going on, as it stands before the bar: `Comparing members`.
   * @param options `printsResults`: the work prints as it goes on; where a person reads that, no bar stands between.
   */
  async during<T>(
    title: string,
    work: (bar: ProgressBar) => Promise<T>,
    { printsResults = false }: { printsResults?: boolean } = {},
  ): Promise<T> {
    const bar = new LateBar(title, this.#stderr);
    const isShown = this.#isShown && !(printsResults && this.#sharesScreen);
    const timer = isShown ? setTimeout(() => void bar.show(), WAIT_MS) : undefined;
    try {
      return await work(bar);
    } finally {
      clearTimeout(timer);
      bar.end();
    }
  }
}

/** A bar that knows where it stands before it is shown, and whether it still has to be. */
class LateBar implements ProgressBar {
  readonly #title: string;
  readonly #stderr: OutputStream;
  readonly #end = () => this.end();
  #done = 0;
  #total: number | undefined;
  #bar: SingleBar | undefined;
  #isOver = false;

  constructor(title: string, stderr: OutputStream) {
    this.#title = title;
    this.#stderr = stderr;
  }

  at(done: number, total?: number): void {
    this.#done = done;
    this.#total = total;
    this.#bar?.setTotal(total ?? done);
    this.#bar?.update(done);
  }

  /** The library is loaded when there is something to draw: most work is done sooner. */
  async show(): Promise<void> {
    const { default: library } = await import('cli-progress');
    if (this.#isOver) return;
    const format: Options['format'] = (options, params, payload) =>
      library.Format.Formatter({ ...options, format: this.#format() }, params, payload);
    this.#bar = new library.SingleBar({ ...LOOKS, format, stream: streamOf(this.#stderr) });
    this.#bar.start(this.#total ?? this.#done, this.#done);
    // Ctrl-C ends the process where it stands; the shell goes on in an empty line.
    process.once('exit', this.#end);
  }

  end(): void {
    this.#isOver = true;
    this.#bar?.stop();
    this.#bar = undefined;
    process.off('exit', this.#end);
  }

  #format(): string {
    if (this.#total === undefined) return `${this.#title}: {value}`;
    return `${this.#title} [{bar}] {percentage}% ({value} of {total})`;
  }
}

/** Cursor and line wrapping are left alone: a process that is killed could not put them back. */
const LOOKS: Options = {
  barsize: BAR_WIDTH,
  fps: 5,
  clearOnComplete: true,
  linewrap: true,
  hideCursor: false,
};

function streamOf(stderr: OutputStream): NodeJS.WritableStream {
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      stderr.write(text);
      done();
    },
  });
  return Object.assign(stream, { isTTY: true, columns: stderr.columns });
}
