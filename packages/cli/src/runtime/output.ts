import { totalText } from './count-words.js';
import { plainDetails, renderDetails, type Detail } from './details.js';
import { printEntries, type EntryFormat } from './entries.js';
import { tabbed } from './tabbed.js';
import { renderTable, type Column, type TableSpace } from './table.js';
import type { Terminal } from './terminal.js';
import { toJson } from './to-json.js';

/** The format of a list, for people and for programs. */
export interface ListFormat<T> {
  /** In the plural: `users`. */
  noun: string;
  columns: Column<T>[];
  /** The tab-separated fields of a line without a terminal. */
  fields: (keyof T)[];
  id: (item: T) => string;
}

/** The items that a command found, and their total. */
interface Found<T> {
  items: T[];
  total: number;
  /** False: there are this many items or more. Defaults to true. */
  isTotalExact?: boolean;
  /** The output of `--json` if it is not the items. */
  view?: unknown;
}

interface Answer {
  /** Describes the output of `--json`. */
  view: unknown;
  /** The text for people. */
  text: string;
  /** The output of `--quiet`. Defaults to nothing. */
  id?: string | undefined;
}

/** One object in full. */
interface ObjectDetails {
  view: unknown;
  details: Detail[];
  /** Describes the output of `--quiet`. */
  id: string;
}

/** A list with its own form for people. */
interface Report<T> extends Pick<ListFormat<T>, 'fields' | 'id'> {
  view: unknown;
  items: T[];
  forPeople: (space: TableSpace) => string[];
}

/** Prints results in the requested form: for people, as JSON, as fields for programs, or ids only. */
export class Output {
  readonly #terminal: Terminal;
  readonly #mode;

  constructor(terminal: Terminal, mode: { json: boolean; quiet: boolean }) {
    this.#terminal = terminal;
    this.#mode = mode;
  }

  /** Prints the outcome of a command. */
  answer({ view, text, id }: Answer): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (!this.#mode.quiet) this.#terminal.printProse(text);
    else if (id !== undefined) this.#terminal.print(id);
  }

  /** Prints one object in full, a line for each property. */
  details({ view, details, id }: ObjectDetails): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (this.#mode.quiet) this.#terminal.print(id);
    else
      this.#printAll(this.#terminal.hasReader ? renderDetails(details, this.#space) : plainDetails(details));
  }

  /** Prints a list, and a note if there is more of it. */
  list<T>({ items, total, isTotalExact = true, view = items }: Found<T>, format: ListFormat<T>): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else for (const line of this.#lines(items, format)) this.#terminal.print(line);
    if (items.length < total) {
      const count = totalText({ total, isTotalExact });
      this.note(`${items.length} of ${count} ${format.noun}; --limit and --offset show the others.`);
    } else if (items.length === 0 && this.#terminal.hasReader) {
      this.note(`No ${format.noun}.`);
    }
  }

  /** Prints a list with its own form for people; programs get the form of any list. */
  report<T>({ view, items, fields, id, forPeople }: Report<T>): void {
    if (this.#mode.json) this.#terminal.print(toJson(view));
    else if (this.#mode.quiet) this.#printAll(items.map(id));
    else if (this.#terminal.hasReader)
      for (const line of forPeople(this.#space)) this.#terminal.printProse(line);
    else this.#printAll(items.map((item) => tabSeparated(item, fields)));
  }

  /** Prints entries page by page. @param options `jsonLines`: print one JSON object a line, in place of an array. */
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

  /** Prints lines as they are, in every mode. */
  lines(lines: readonly string[]): void {
    this.#printAll(lines);
  }

  /** Prints a note to standard error; it is not part of the result. */
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
