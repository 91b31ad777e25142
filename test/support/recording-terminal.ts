import { Readable } from 'node:stream';
import { Terminal } from '../../packages/cli/src/runtime/terminal.js';

export interface RecordingOptions {
  /** True: a person sits there, with this many columns and without colours. */
  tty?: boolean;
  columns?: number;
  /** The content of standard input. */
  input?: string;
}

/** A terminal of the command line that keeps what is written to it. */
export class RecordingTerminal extends Terminal {
  readonly #written: { stdout: string; stderr: string };

  constructor({ tty = false, columns = 80, input = '' }: RecordingOptions = {}) {
    const written = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof written) => ({
      isTTY: tty,
      columns,
      write: (text: string) => {
        written[name] += text;
      },
    });
    const stdin = Object.assign(Readable.from([input]), { isTTY: tty });
    super({ stdin, stdout: stream('stdout'), stderr: stream('stderr') });
    this.#written = written;
  }

  get stdout(): string {
    return this.#written.stdout;
  }

  get stderr(): string {
    return this.#written.stderr;
  }
}
