import { plainDetails, renderDetails, type Detail } from './details.js';
import { printEntries, type EntryFormat } from './entries.js';
import { tabbed } from './tabbed.js';
import { renderTable, type Column, type TableSpace } from './table.js';
import type { Terminal } from './terminal.js';
import { toJson } from './to-json.js';

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
  /** What `--json` prints where that is not the items. */
  view?: unknown;
}

export interface Answer {
  /** What `--json` prints. */
  view: unknown;
  /** What a person reads. */
  text: string;
  /** What `--quiet` prints; nothing unless given. */
  id?: string | undefined;
}

/** One thing in full. */
export interface Details {
  view: unknown;
  details: Detail[];
  /** What `--quiet` prints. */
  id: string;
}

/** A list that people read in a form of its own. */
export interface Report<T> extends Pick<ListFormat<T>, 'fields' | 'id'> {
  view: unknown;
  items: T[];
  forPeople: (space: TableSpace) => string[];
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
    else if (!this.#mode.quiet) this.#terminal.printProse(text);
    else if (id !== undefined) this.#terminal.print(id);
  }

  /** One thing in full, a line for each of its properties. */
  details({ view, details, id }: Details): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (this.#mode.quiet) this.#terminal.print(id);
    else
      this.#printAll(this.#terminal.hasReader ? renderDetails(details, this.#space) : plainDetails(details));
  }

  /** A list, and a note when there is more of it. */
  list<T>({ items, total, view = items }: Found<T>, format: ListFormat<T>): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else for (const line of this.#lines(items, format)) this.#terminal.print(line);
    if (items.length < total) {
      this.note(`${items.length} of ${total} ${format.noun}; --limit and --offset show the others.`);
    } else if (items.length === 0 && this.#terminal.hasReader) {
      this.note(`No ${format.noun}.`);
    }
  }

  /** A list in a form of its own for people; for programs it is like any other. */
  report<T>({ view, items, fields, id, forPeople }: Report<T>): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (this.#mode.quiet) this.#printAll(items.map(id));
    else if (this.#terminal.hasReader)
      for (const line of forPeople(this.#space)) this.#terminal.printProse(line);
    else this.#printAll(items.map((item) => tabSeparated(item, fields)));
  }

  /** Entries as they come, page by page. @param options `jsonLines`: JSON has one entry a line, in place of an array. */
  async entries<T>(
    pages: AsyncIterable<readonly T[]>,
    format: EntryFormat<T>,
    { jsonLines }: { jsonLines: boolean },
  ): Promise<void> {
    const { json, quiet } = this.#mode;
    const form = jsonLines
      ? 'json lines'
      : json
        ? 'json'
        : quiet
          ? 'ids'
          : this.#terminal.hasReader
            ? 'people'
            : 'tabs';
    await printEntries(pages, format, {
      form,
      space: this.#space,
      print: (text) => this.#terminal.print(text),
    });
  }

  /** Something worth knowing that is no part of the result. */
  note(text: string): void {
    if (!this.#mode.quiet) this.#terminal.note(text);
  }

  #lines<T>(items: T[], format: ListFormat<T>): string[] {
    if (this.#mode.quiet) return items.map(format.id);
    if (!this.#terminal.hasReader) return items.map((item) => tabSeparated(item, format.fields));
    return items.length === 0 ? [] : renderTable(items, format.columns, this.#space);
  }

  get #space(): TableSpace {
    return {
      columns: this.#terminal.columns,
      paint: (style, text) => this.#terminal.paint(style, text),
    };
  }

  #printAll(lines: readonly string[]): void {
    for (const line of lines) this.#terminal.print(line);
  }
}

const tabSeparated = <T>(item: T, fields: readonly (keyof T)[]): string =>
  tabbed(fields.map((field) => item[field]));
