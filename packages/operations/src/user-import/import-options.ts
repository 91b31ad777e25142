import { z } from 'zod';
import type { FirebaseHashParameters } from './formats/firebase-hash.js';
import { IMPORT_FORMATS } from './formats/source-entry.js';
import { IMPORT_CONFLICTS } from './import-conflict.js';

export const importOptions = z.strictObject({
  format: z.enum(IMPORT_FORMATS).default('jsonl'),
  onConflict: z.enum(IMPORT_CONFLICTS).default('skip'),
  dryRun: z.boolean().default(false),
  wrapWeak: z.boolean().default(false),
  allowRoles: z.boolean().default(false),
});

/**
 * A file with users to import. `onConflict` decides about users who exist: `skip` leaves them, `update` changes their
 * profile and adds memberships, `fail` stops. `dryRun` only checks. `wrapWeak` stores Argon2id over hashes of other
 * schemes at once. Without `allowRoles` no user gets a role on the platform, users who exist get no membership, and new ones
 * get memberships of an ordinary member. `encryptionKeys`, those of
 * ENCRYPTION_KEYS, are needed for users with an authenticator app, `firebase` for passwords of Firebase.
 */
export type ImportRequest = z.input<typeof importOptions> & {
  file: string;
  encryptionKeys?: readonly Buffer[] | undefined;
  firebase?: FirebaseHashParameters | undefined;
};
export type CheckedImportOptions = z.output<typeof importOptions>;

/** How far an import has come. */
export interface ImportProgress {
  /** Entries that were decided. */
  entries: number;
  /** Bytes of the file that were read. */
  bytes: number;
  /** Undefined for a pipe. */
  totalBytes?: number | undefined;
}
