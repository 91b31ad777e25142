import { inspectInput } from '@latchkey/core/internal/kernel/check-input';
import { fieldNameOf, type FieldFault } from '@latchkey/core/internal/kernel/field-fault';
import type { SourceEntry } from './formats/source-entry.js';
import { knownIdentities, type ImportConnection } from './import-identities.js';
import { importRecord, type ImportRecord } from './import-record.js';
import { withoutRights } from './import-rights.js';

/** A user that may be written, and what of the entry is not carried over. */
export interface ImportCandidate {
  readonly position: number;
  readonly record: ImportRecord;
  readonly notes: readonly string[];
}

/**
 * An entry that was rejected, or one whose user was imported without a part of it. The reasons name fields and never
 * their values.
 */
export interface ImportReport {
  /** The line of the entry, or its number in a document; from 1. */
  readonly position: number;
  readonly outcome: 'rejected' | 'incomplete';
  readonly reasons: readonly string[];
}

export const rejected = (position: number, ...reasons: string[]): ImportReport => ({
  position,
  outcome: 'rejected',
  reasons,
});

export const RESERVED_EMAIL = 'email: is reserved for a user who had it';
const SECRETS_NEED_KEY = 'totp: needs a key to encrypt the secret (ENCRYPTION_KEYS)';
const CODES_LEFT_OUT = 'recoveryCodes: are left out without a key to protect them (ENCRYPTION_KEYS)';

export interface EntryOptions {
  readonly allowRoles: boolean;
  /** True if secrets of authenticator apps and recovery codes can be stored. */
  readonly storesSecrets: boolean;
  /** The services by which users sign in. */
  readonly connections: readonly ImportConnection[];
}

/**
 * Checks an entry. Without `allowRoles` a user gets no role on the platform, and no rights in a company beyond those of an
 * ordinary member. A user with a second factor is rejected where none can be stored: without it the password alone would do.
 * Recovery codes without a factor are left out there.
 */
export function checkEntry(
  entry: SourceEntry,
  { allowRoles, storesSecrets, connections }: EntryOptions,
): ImportCandidate | ImportReport {
  const { position } = entry;
  if ('fault' in entry) return rejected(position, entry.fault);
  const checked = inspectInput(importRecord, entry.record, 'record');
  if ('faults' in checked) return rejected(position, ...checked.faults.map(textOfFault));
  const { identities, notes: unknown } = knownIdentities(checked.value, connections);
  const record = { ...checked.value, identities };
  if (record.totp.length > 0 && !storesSecrets) return rejected(position, SECRETS_NEED_KEY);
  const lostCodes = record.recoveryCodes.length > 0 && !storesSecrets ? [CODES_LEFT_OUT] : [];
  const notes = [...entry.notes, ...lostCodes, ...unknown];
  if (allowRoles) return { position, record, notes };
  const allowed = withoutRights(record);
  return { position, record: allowed.record, notes: [...notes, ...allowed.notes] };
}

function textOfFault({ pointer, message }: FieldFault): string {
  const name = fieldNameOf(pointer);
  return name === '' ? `the record ${message}` : `${name}: ${message}`;
}
