import { setImmediate } from 'node:timers/promises';
import { newId } from '@latchkey/core/internal/kernel/id';
import { storedFormOf } from '@latchkey/core/internal/passwords/foreign/stored-form';
import type { SourceEntry } from './formats/source-entry.js';
import type { ImportedUser } from './import-batch-writer.js';
import { checkEntry, type EntryOptions, type ImportCandidate, type ImportReport } from './import-check.js';
import { userRow } from './import-rows.js';

/** Protects password hashes of weaker schemes. */
export interface HashWrapper {
  /** Returns Argon2id over a stored hash of another scheme; a hash by Argon2 is returned as it is. */
  wrap(storedHash: string): Promise<string>;
}

/** A batch of entries, ready to be written. */
export interface PreparedBatch {
  /** The last entry of the batch. */
  readonly position: number;
  readonly users: readonly ImportedUser[];
  readonly rejections: readonly ImportReport[];
}

/** More than a machine has threads for hashes, and far fewer than their queue takes. */
const WRAPS_AT_ONCE = 16;

/** Entries that are checked in one turn of the event loop: the batch before is written meanwhile, statement by statement. */
const UNINTERRUPTED = 50;

const UNKNOWN_SCHEME = 'passwordHash: is of an unknown scheme; the user needs to set a new password';

/** Checks entries and brings their password hashes into the form that is stored. */
export async function prepareBatch(
  entries: readonly SourceEntry[],
  options: EntryOptions & { readonly wrapWeak: boolean },
  passwords: HashWrapper,
): Promise<PreparedBatch> {
  const users: ImportedUser[] = [];
  const rejections: ImportReport[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % UNINTERRUPTED === 0) await setImmediate();
    const checked = checkEntry(entry, options);
    if ('outcome' in checked) rejections.push(checked);
    else users.push(importedUser(checked));
  }
  const position = entries.at(-1)?.position ?? 0;
  if (!options.wrapWeak) return { position, users, rejections };
  return { position, users: await wrapAll(users, passwords), rejections };
}

/** Gives a checked user an id, brings the hash into the form that is stored, and makes the row. */
export function importedUser({ position, record, notes }: ImportCandidate): ImportedUser {
  const id = record.id ?? newId();
  const passwordHash = record.passwordHash === undefined ? undefined : storedFormOf(record.passwordHash);
  const isLost = record.passwordHash !== undefined && passwordHash === undefined;
  return {
    position,
    id,
    record,
    passwordHash,
    row: JSON.stringify(userRow(id, record, passwordHash)),
    notes: isLost ? [...notes, UNKNOWN_SCHEME] : notes,
  };
}

/** Wraps the hashes of a batch, so many at a time that no thread waits and no queue is full. */
async function wrapAll(users: readonly ImportedUser[], passwords: HashWrapper): Promise<ImportedUser[]> {
  const result = [...users];
  const waiting = users.entries();
  const wrapNext = async () => {
    for (const [index, user] of waiting) result[index] = await wrapped(user, passwords);
  };
  await Promise.all(Array.from({ length: WRAPS_AT_ONCE }, wrapNext));
  return result;
}

async function wrapped(user: ImportedUser, passwords: HashWrapper): Promise<ImportedUser> {
  if (user.passwordHash === undefined) return user;
  const passwordHash = await passwords.wrap(user.passwordHash);
  return { ...user, passwordHash, row: JSON.stringify(userRow(user.id, user.record, passwordHash)) };
}
