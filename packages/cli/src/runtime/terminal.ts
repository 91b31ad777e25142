import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { wrapProse } from './wrap.js';

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** The part of an output stream that is used here; `process.stdout` is one. */
export interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** Also false if `NO_COLOR` is set. */
  hasColors?: () => boolean;
}

interface Streams {
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
}

const DEFAULT_COLUMNS = 80;
/** The fewest columns to believe: a terminal that does not know its size reports fewer. */
const FEWEST_COLUMNS = 20;

/** The streams of a command: results, notes and input, and whether each is a terminal. */
export class Terminal {
  readonly #streams: Streams;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** True if a person can be asked: standard input and standard error are terminals. */
  get canAsk(): boolean {
    return this.hasKeyboard && this.#streams.stderr.isTTY === true;
  }

  /** True if standard input is a keyboard, not a pipe or file. */
  get hasKeyboard(): boolean {
    return this.#streams.stdin.isTTY === true;
  }

  /** True if a person reads the results: standard output is a terminal. */
  get hasReader(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  /** True if standard error is a terminal. */
  get isWatched(): boolean {
    return this.#streams.stderr.isTTY === true;
  }

  get columns(): number {
    return columnsOf(this.#streams.stdout);
  }

  /** The width for notes and questions. */
  get noteColumns(): number {
    return columnsOf(this.#streams.stderr);
  }

  /** Reads standard input to its end. */
  read(): Promise<string> {
    return readAll(this.#streams.stdin);
  }

  /** Prints a result to standard output. */
  print(text: string): void {
    this.#streams.stdout.write(`${text}\n`);
  }

  /** Prints a result in sentences, wrapped on a terminal. */
  printProse(text: string): void {
    this.print(this.hasReader ? wrapProse(text, this.columns) : text);
  }

  /** Prints a note to standard error, wrapped on a terminal. */
  note(text: string): void {
    this.#streams.stderr.write(`${this.isWatched ? wrapProse(text, this.noteColumns) : text}\n`);
  }

  /** Styles a part of the result, if standard output has colours. */
  paint(style: Style, text: string): string {
    return paintFor(this.#streams.stdout, style, text);
  }

  /** Styles a part of a note, if standard error has colours. */
  paintNote(style: Style, text: string): string {
    return paintFor(this.#streams.stderr, style, text);
  }

  /** Standard output and standard error themselves, for help texts. */
  get raw(): Pick<Streams, 'stdout' | 'stderr'> {
    return this.#streams;
  }
}

const columnsOf = ({ columns = 0 }: OutputStream): number =>
  columns < FEWEST_COLUMNS ? DEFAULT_COLUMNS : columns;

function paintFor(stream: OutputStream, style: Style, text: string): string {
  return stream.isTTY === true && stream.hasColors?.() === true ? styleText(style, text) : text;
}
