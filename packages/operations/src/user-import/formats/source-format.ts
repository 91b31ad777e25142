import type { MappedUser } from './source-entry.js';
import type { SourceObject } from './source-object.js';

/** The ways in which the users of a format are written: an object a line, one JSON document, or rows. */
export type Layout = 'lines' | 'document' | 'csv';

/** Returns one user of the source. Never throws: a fault of the user is returned. */
export type UserMapper = (source: SourceObject) => MappedUser;

/** The columns of a CSV file. */
export interface CsvColumns {
  /** The columns by position, for files without a header. The last ones may be missing. */
  readonly fixed?: readonly string[];
  /** Columns that the header must have. */
  readonly required: readonly string[];
  /** Columns that the header may have beside them. Defaults to any. */
  readonly isKnown?: (column: string) => boolean;
  /** The columns that are named in messages. */
  readonly names: readonly string[];
  /** A quotation mark within a cell is part of it, for exporters that do not double it. */
  readonly hasLooseQuotes?: boolean;
}

/** One format: where its users are in a file, and what each becomes. */
export interface SourceFormat {
  readonly layouts: readonly Layout[];
  /** The properties of a JSON document that hold its list of users. */
  readonly lists?: readonly string[];
  readonly csv?: CsvColumns;
  readonly mapUser: UserMapper;
}
