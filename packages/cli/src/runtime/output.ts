import { printable } from './printable.js';
import { renderTable, type Column } from './table.js';
import type { Terminal } from './terminal.js';

export interface OutputMode {
  json: boolean;
  quiet: boolean;
}

/** How a list is shown to a person, and what of it a program gets. */
export interface ListFormat<T> {
  /** In the plural: `users`. */
  noun: string;
  columns: Column<T>[];
  /** The tab-separated fields of a line where no terminal is. */
  fields: (keyof T)[];
  id: (item: T) => string;
}

/** What a command found, and of how much. */
export interface Found<T> {
  items: T[];
  total: number;
}

export interface Answer {
  /** What `--json` prints. */
  view: unknown;
  /** What a person reads. */
  text: string;
  /** What `--quiet` prints; nothing unless given. */
  id?: string | undefined;
}

/** Results in the form that was asked for: for people, for programs, or as little as possible. */
export class Output {
  readonly #terminal: Terminal;
  readonly #mode: OutputMode;

  constructor(terminal: Terminal, mode: OutputMode) {
    this.#terminal = terminal;
    this.#mode = mode;
  }

  /** The outcome of a command. */
  answer({ view, text, id }: Answer): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (!this.#mode.quiet) this.#terminal.print(text);
    else if (id !== undefined) this.#terminal.print(id);
  }

  /** A list, and a note when there is more of it. */
  list<T>({ items, total }: Found<T>, format: ListFormat<T>): void {
    if (this.#mode.json) this.#terminal.print(toJson(items));
    else for (const line of this.#lines(items, format)) this.#terminal.print(line);
    if (items.length < total) {
      this.note(`${items.length} of ${total} ${format.noun}; --limit and --offset show the others.`);
    } else if (items.length === 0 && this.#terminal.hasReader) {
      this.note(`No ${format.noun}.`);
    }
  }

  /** Something worth knowing that is no part of the result. */
  note(text: string): void {
    if (!this.#mode.quiet) this.#terminal.note(text);
  }

  #lines<T>(items: T[], format: ListFormat<T>): string[] {
    if (this.#mode.quiet) return items.map(format.id);
    if (!this.#terminal.hasReader) return items.map((item) => tabSeparated(item, format.fields));
    if (items.length === 0) return [];
    const { columns } = this.#terminal;
    return renderTable(items, format.columns, {
      columns,
      paint: (style, text) => this.#terminal.paint(style, text),
    });
  }
}

const tabSeparated = <T>(item: T, fields: readonly (keyof T)[]): string =>
  fields.map((field) => plain(item[field])).join('\t');

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** JSON leaves some control characters as they are; a terminal would obey them. */
const toJson = (view: unknown): string =>
  JSON.stringify(view, null, 2).replace(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
