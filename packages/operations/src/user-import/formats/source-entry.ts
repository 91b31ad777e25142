import type { ImportRecordInput } from '../import-record.js';

/** The formats of files with users. `jsonl` is that of `latchkey users export`. */
export const IMPORT_FORMATS = [
  'jsonl',
  'csv',
  'auth0',
  'keycloak',
  'supabase',
  'clerk',
  'firebase',
  'better-auth',
] as const;
/** The format of a file with users: one of `IMPORT_FORMATS`. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** One user of a source, or the reason why there is none. */
export type MappedUser =
  | {
      /** Not checked yet: the importer checks it with `importRecord`. A field that the source does not state is missing or undefined. */
      readonly record: ImportRecordInput;
      /** Sentences on what of the source cannot be carried over, such as a password hash of an unknown scheme. */
      readonly notes: readonly string[];
    }
  | {
      /** A sentence on what is wrong. */
      readonly fault: string;
    };

/**
 * One user of a source file. `position` is the line, or in a file that is one JSON document the number of the user; both
 * begin at 1 and grow.
 */
export type SourceEntry = { readonly position: number } & MappedUser;
