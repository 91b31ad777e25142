import { text as readAll } from 'node:stream/consumers';
import { styleText } from 'node:util';
import { wrapProse } from './wrap.js';

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** The part of a stream that is used here; `process.stdout` is one. */
export interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  /** False too when `NO_COLOR` is set. */
  hasColors?: () => boolean;
}

export interface Streams {
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
}

const DEFAULT_COLUMNS = 80;
/** What a terminal reports that does not know its size is below this. */
const FEWEST_COLUMNS = 20;

/** Where results and notes go, and whether a person sits there. */
export class Terminal {
  readonly #streams: Streams;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Whether a question would reach somebody who can answer. */
  get canAsk(): boolean {
    return this.hasKeyboard && this.#streams.stderr.isTTY === true;
  }

  /** Whether standard input is somebody's keyboard and no pipe or file. */
  get hasKeyboard(): boolean {
    return this.#streams.stdin.isTTY === true;
  }

  /** Whether results are read by a person and not by a program or a file. */
  get hasReader(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  /** Whether somebody sees standard error while it is written. */
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

  /** Standard input to its end. */
  read(): Promise<string> {
    return readAll(this.#streams.stdin);
  }

  /** The result: standard output. */
  print(text: string): void {
    this.#streams.stdout.write(`${text}\n`);
  }

  /** A result in sentences, which are broken at words where a person reads them. */
  printProse(text: string): void {
    this.print(this.hasReader ? wrapProse(text, this.columns) : text);
  }

  /** What is said beside the result: standard error, broken in the same way. */
  note(text: string): void {
    this.#streams.stderr.write(`${this.isWatched ? wrapProse(text, this.noteColumns) : text}\n`);
  }

  /** Styles a part of the result, where colours are wanted. */
  paint(style: Style, text: string): string {
    return paintFor(this.#streams.stdout, style, text);
  }

  /** Styles a part of a note, where colours are wanted. */
  paintNote(style: Style, text: string): string {
    return paintFor(this.#streams.stderr, style, text);
  }

  /** Standard output and error as they are, for help texts. */
  get raw(): Pick<Streams, 'stdout' | 'stderr'> {
    return this.#streams;
  }
}

const columnsOf = ({ columns = 0 }: OutputStream): number =>
  columns < FEWEST_COLUMNS ? DEFAULT_COLUMNS : columns;

function paintFor(stream: OutputStream, style: Style, text: string): string {
  return stream.isTTY === true && stream.hasColors?.() === true ? styleText(style, text) : text;
}
