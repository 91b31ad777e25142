import { isUtf8 } from 'node:buffer';
import type { CsvError, Parser } from 'csv-parse';
import { checkedEntry, mayHaveEscapes } from './checked-entry.js';
import { columnsOfHeader } from './csv-header.js';
import type { SourceEntry } from './source-entry.js';
import {
  type EntryReader,
  faultsOf,
  MAX_ENTRY_BYTES,
  MAX_OPEN_BYTES,
  type SourceFile,
} from './source-file.js';
import type { CsvColumns, UserMapper } from './source-format.js';
import { REPLACEMENT } from './whole-characters.js';

const FAULTS = faultsOf('row');

interface CsvSource {
  readonly csv: CsvColumns;
  readonly mapUser: UserMapper;
}

/**
 * Reads rows of comma-separated values (RFC 4180), also those of spreadsheets that separate by semicolons or tabs.
 * Empty cells are left out, and those in which a database writes that there is no value. The position of a row is the line in which it ends.
 */
export class CsvReader implements EntryReader {
  readonly #source: CsvSource;
  readonly #file: SourceFile;
  readonly #parser: Parser;
  #columns: readonly string[] | undefined;
  #entries: SourceEntry[] = [];
  /** Bytes since the last row ended. */
  #open = 0;
  #lastFault = 0;
  #countedTwice = 0;
  /** Reports whether some bytes were not UTF-8 or were NUL: only then each row is searched for them. */
  #isSuspect = false;
  /** Cells may hold JSON. */
  #hasEscapes = false;

  /** Loads the library on first use. */
  static async create(source: CsvSource, file: SourceFile, delimiter: string): Promise<CsvReader> {
    const { parse } = await import('csv-parse');
    return new CsvReader(source, file, (handlers) =>
      parse({
        ...handlers,
        delimiter,
        record_delimiter: ['\r\n', '\n'],
        relax_column_count: true,
        relax_quotes: source.csv.hasLooseQuotes ?? false,
        skip_empty_lines: true,
        skip_records_with_error: true,
      }),
    );
  }

  private constructor(
    source: CsvSource,
    file: SourceFile,
    parserOf: (handlers: {
      on_record: (row: string[], info: { lines: number }) => undefined;
      on_skip: (error: CsvError | undefined) => undefined;
    }) => Parser,
  ) {
    this.#source = source;
    this.#file = file;
    this.#columns = source.csv.fixed;
    this.#parser = parserOf({
      on_record: (row, { lines }) => {
        this.#open = 0;
        this.#read(row, this.#lineOf(row, lines));
        return undefined;
      },
      on_skip: (error) => {
        this.#reject(error);
        return undefined;
      },
    });
    // Each error is thrown where it is found.
    this.#parser.on('error', () => undefined);
  }

  push(chunk: Buffer, entries: SourceEntry[]): void {
    this.#entries = entries;
    this.#isSuspect ||= !isUtf8(chunk) || chunk.includes(0);
    this.#hasEscapes ||= mayHaveEscapes(chunk);
    this.#open += chunk.length;
    this.#parser.write(chunk);
    this.#throwErrors();
    if (this.#open > MAX_OPEN_BYTES + chunk.length) {
      throw this.#file.error(
        'has a row of more than 16 MiB. A quotation mark may not be closed; double those within a cell.',
      );
    }
  }

  end(entries: SourceEntry[]): void {
    this.#entries = entries;
    this.#parser.end();
    this.#throwErrors();
  }

  #throwErrors(): void {
    if (this.#parser.errored) throw this.#parser.errored;
  }

  #read(row: readonly string[], line: number): void {
    if (this.#columns === undefined) {
      this.#columns = columnsOfHeader(row, this.#source.csv, this.#file);
      return;
    }
    const fault = this.#faultOf(row, this.#columns);
    if (fault !== undefined) this.#fault(line, fault);
    else if (row.length > 1 || row[0]?.trim() !== '') this.#add(row, this.#columns, line);
  }

  /** The library counts a carriage return and a line feed within a cell as two lines. */
  #lineOf(row: readonly string[], lines: number): number {
    for (const cell of row) this.#countedTwice += cell.includes('\r') ? cell.split('\r\n').length - 1 : 0;
    return lines - this.#countedTwice;
  }

  #add(row: readonly string[], columns: readonly string[], line: number): void {
    const cells: Record<string, string> = {};
    for (const [index, column] of columns.entries()) {
      const cell = row[index];
      if (cell !== undefined && cell !== '' && !NULLS.has(cell)) cells[column] = cell;
    }
    const user = this.#source.mapUser(cells);
    this.#entries.push(this.#hasEscapes ? checkedEntry(line, user) : { position: line, ...user });
  }

  #faultOf(row: readonly string[], columns: readonly string[]): string | undefined {
    if (this.#isSuspect && row.some((cell) => cell.includes(REPLACEMENT))) return FAULTS.notUtf8;
    if (this.#isSuspect && row.some((cell) => cell.includes('\0'))) return FAULTS.hasNul;
    if (row.reduce((length, cell) => length + cell.length, 0) > MAX_ENTRY_BYTES) return FAULTS.tooLong;
    return this.#lengthFault(row, columns);
  }

  #lengthFault(row: readonly string[], columns: readonly string[]): string | undefined {
    const isBlank = row.length === 1 && row[0]?.trim() === '';
    if (row.length === columns.length || isBlank) return undefined;
    const { fixed } = this.#source.csv;
    if (fixed === undefined)
      return `The row has ${row.length} columns, but the header has ${columns.length}.`;
    const isShort = row.length < fixed.length - OPTIONAL_FIXED;
    const hasMore = row.slice(fixed.length).some((cell) => cell !== '');
    return isShort || hasMore ? `The row has ${row.length} columns instead of ${fixed.length}.` : undefined;
  }

  /** Called for a row with a misplaced quotation mark, and for a last row that does not end. */
  #reject(error: CsvError | undefined): void {
    const line = Number(error?.lines ?? 0) - this.#countedTwice;
    if (error?.code === 'CSV_QUOTE_NOT_CLOSED') {
      throw this.#file.error(
        'ends within a quoted cell. Close the quotation mark, and double those within cells.',
      );
    }
    if (line > this.#lastFault) this.#fault(line, 'The row has a quotation mark in the wrong place.');
  }

  #fault(line: number, fault: string): void {
    this.#lastFault = line;
    this.#entries.push({ position: line, fault });
  }
}

/** The forms in which databases write a cell without a value. */
const NULLS = new Set(['\\N', 'NULL', 'null', '<null>', '(null)']);

/** The number of last columns that older exports do not have. */
const OPTIONAL_FIXED = 2;
