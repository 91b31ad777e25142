import { Writable } from 'node:stream';
import type { Options, SingleBar } from 'cli-progress';
import type { OutputStream, Terminal } from './terminal.js';

/** Reports the progress of some work. */
export interface ProgressBar {
  /** Updates the bar, which is drawn a few times a second. Without a total it only counts. */
  at(done: number, total?: number): void;
}

/** The time before a bar appears, in milliseconds. */
const WAIT_MS = 1000;
const BAR_WIDTH = 30;

/** Shows a bar on standard error during long work, if it is a terminal. The bar leaves nothing behind. */
export class Progress {
  readonly #stderr: OutputStream;
  readonly #isShown: boolean;
  /** True if results go to the same screen. */
  readonly #sharesScreen: boolean;

  constructor(terminal: Terminal, { quiet }: { quiet: boolean }) {
    this.#stderr = terminal.raw.stderr;
    this.#isShown = terminal.isWatched && !quiet;
    this.#sharesScreen = terminal.hasReader;
  }

  /**
   * @param title the text before the bar: `Comparing members`.
   * @param options `printsResults`: the work prints results meanwhile; no bar is shown between them on a terminal.
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

/** A bar that keeps its position before it is shown. */
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

  /** Loads the library and draws the bar. Most work ends before that. */
  async show(): Promise<void> {
    const { default: library } = await import('cli-progress');
    if (this.#isOver) return;
    const format: Options['format'] = (options, params, payload) =>
      library.Format.Formatter({ ...options, format: this.#format() }, params, payload);
    this.#bar = new library.SingleBar({ ...LOOKS, format, stream: streamOf(this.#stderr) });
    this.#bar.start(this.#total ?? this.#done, this.#done);
    // Ctrl-C ends the process at once; the shell must continue on an empty line.
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

/** Leaves the cursor and line wrapping unchanged: a killed process could not restore them. */
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
