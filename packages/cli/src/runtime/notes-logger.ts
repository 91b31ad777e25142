import type { Logger } from '@latchkey/core';
import type { Terminal } from './terminal.js';

/** Prints the log of the core as notes: warnings always, everything else with `--verbose`. */
export class NotesLogger implements Logger {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;

  constructor(terminal: Terminal, verbose: boolean) {
    this.#terminal = terminal;
    this.#verbose = verbose;
  }

  debug(details: object, message: string): void {
    if (this.#verbose) this.#note('debug', details, message);
  }

  info(details: object, message: string): void {
    if (this.#verbose) this.#note('info', details, message);
  }

  warn(details: object, message: string): void {
    this.#note('warning', details, message);
  }

  error(details: object, message: string): void {
    this.#note('warning', details, message);
  }

  #note(level: string, details: object, message: string): void {
    const more = this.#verbose && Object.keys(details).length > 0 ? ` ${describe(details)}` : '';
    this.#terminal.note(`${this.#terminal.paintNote('yellow', `${level}:`)} ${message}${more}`);
  }
}

const describe = (details: object): string =>
  JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? value.message : value));
