import type { Database, Transaction } from '@latchkey/core/internal/storage/database';
import type { Statement } from '@latchkey/core/internal/storage/statement';
import { USER } from '@latchkey/core/internal/users/user-repository.sql';
import { BatchReports } from './batch-reports.js';
import type { FactorImporter } from './factor-importer.js';
import { RESERVED_EMAIL, type ImportCandidate, type ImportReport } from './import-check.js';
import type { CheckedImportOptions } from './import-options.js';
import { FIND_BY_EMAIL, LOCK_BY_EMAIL, RESERVED } from './import-queries.js';
import { MEMBERSHIPS_LEFT_OUT } from './import-rights.js';
import { membershipRows, userRow } from './import-rows.js';
import { MembershipImporter, type WrittenMemberships } from './membership-importer.js';

/** A checked user, with the id that a new row would get. */
export interface ImportedUser extends ImportCandidate {
  readonly id: string;
  /** In the form that is stored; undefined for none, and for one of an unknown scheme. */
  readonly passwordHash: string | undefined;
  /** The new row as JSON, made while the batch before is written. */
  readonly row: string;
}

/** What a batch did, or where it stopped: then nothing of it may be committed. */
export interface BatchResult {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly reports: readonly ImportReport[];
  readonly memberships: WrittenMemberships;
}

/** Thrown by the conflict policy `fail`. */
export class ImportConflictError extends Error {
  override readonly name = 'ImportConflictError';
  readonly position: number;

  constructor(position: number) {
    super(`The user of entry ${position} exists.`);
    this.position = position;
  }
}

/** Thrown when an address became reserved while the batch was written: it is to be written anew. */
export class ReservedMeanwhileError extends Error {
  override readonly name = 'ReservedMeanwhileError';
}

/**
 * Writes a batch of users with their memberships and factors. The unique index on the email decides between an import, a
 * registration and another import.
 */
export class ImportBatchWriter {
  readonly #database: Database;
  readonly #factors: FactorImporter;
  readonly #memberships: MembershipImporter;

  constructor(database: Database, factors: FactorImporter) {
    this.#database = database;
    this.#factors = factors;
    this.#memberships = new MembershipImporter(database);
  }

  /** @throws ImportConflictError with `fail`, when the email of an entry is taken; ReservedMeanwhileError. */
  async write(
    users: readonly ImportedUser[],
    { onConflict, allowRoles }: Pick<CheckedImportOptions, 'onConflict' | 'allowRoles'>,
    trx: Transaction,
  ): Promise<BatchResult> {
    const reports = new BatchReports();
    const known = onConflict === 'update' ? await this.#idsOf(LOCK_BY_EMAIL, users, trx) : NONE_KNOWN;
    const created = await this.#insert(
      users.filter(({ record }) => !known.has(record.email)),
      reports,
      trx,
    );
    const existing = await this.#existing(users, created, reports, trx);
    const [first] = existing;
    if (onConflict === 'fail' && first) throw new ImportConflictError(first.position);
    const updated = onConflict === 'update' ? existing : [];
    await this.#update(updated, trx);
    const changed = updated.map((user) => (allowRoles ? user : withoutMemberships(user)));
    const memberships = await this.#writeParts(created, changed, reports, trx);
    return {
      created: created.length,
      updated: updated.length,
      skipped: existing.length - updated.length,
      reports: reports.all,
      memberships,
    };
  }

  /**
   * Returns the users that were inserted. An address that its former owner may take back is not given to anybody; it is
   * looked for again after the insertion, because a change of address may commit while that waits for it.
   */
  async #insert(
    users: readonly ImportedUser[],
    reports: BatchReports,
    trx: Transaction,
  ): Promise<ImportedUser[]> {
    const reserved = await this.#reserved(users, trx);
    for (const { position } of users.filter(({ record }) => reserved.has(record.email))) {
      reports.reject(position, RESERVED_EMAIL);
    }
    const free = users.filter(({ record }) => !reserved.has(record.email));
    if (free.length === 0) return [];
    const text = `[${free.map(({ row }) => row).join(',')}]`;
    const rows = await this.#database.query<{ id: string }>(USER.importNew, [text], trx);
    const ids = new Set(rows.map(({ id }) => id));
    // Two entries may have one id: the first was inserted.
    const inserted = free.filter(({ id }) => ids.delete(id));
    if ((await this.#reserved(inserted, trx)).size > 0) throw new ReservedMeanwhileError();
    return inserted;
  }

  /** Returns the addresses that their former owners may take back. */
  async #reserved(users: readonly ImportedUser[], trx: Transaction): Promise<ReadonlySet<string>> {
    const emails = users.map(({ record }) => record.email);
    const rows = await this.#database.query<{ email: string }>(RESERVED, [emails], trx);
    return new Set(rows.map(({ email }) => email));
  }

  /** Returns the entries whose users exist, with the ids of these. */
  async #existing(
    users: readonly ImportedUser[],
    created: readonly ImportedUser[],
    reports: BatchReports,
    trx: Transaction,
  ): Promise<ImportedUser[]> {
    const written = new Set(created);
    const others = users.filter((user) => !written.has(user));
    if (others.length === 0) return [];
    const ids = await this.#idsOf(FIND_BY_EMAIL, others, trx);
    return others.flatMap((user) => {
      const id = ids.get(user.record.email);
      if (id !== undefined) return [{ ...user, id }];
      if (!reports.hasRejected(user.position)) reports.reject(user.position, 'id: belongs to another user');
      return [];
    });
  }

  async #update(users: readonly ImportedUser[], trx: Transaction): Promise<void> {
    if (users.length === 0) return;
    // Of several entries for one user the last one counts.
    const rows = new Map(
      users.map(({ id, record, passwordHash }) => [id, userRow(id, record, passwordHash)]),
    );
    await this.#database.query(USER.importChanges, [JSON.stringify([...rows.values()])], trx);
  }

  async #writeParts(
    created: readonly ImportedUser[],
    updated: readonly ImportedUser[],
    reports: BatchReports,
    trx: Transaction,
  ): Promise<WrittenMemberships> {
    for (const { position, notes } of [...created, ...updated]) reports.note(position, ...notes);
    const placed = [...created, ...updated].flatMap(({ id, record, position }) =>
      record.memberships.map((membership) => ({
        rows: membershipRows(id, membership),
        note: (reason: string) => reports.note(position, reason),
      })),
    );
    const written = await this.#memberships.write(placed, trx);
    const withNotes = created.map(({ id, record, position }) => ({
      id,
      record,
      note: (reason: string) => reports.note(position, reason),
    }));
    await this.#factors.write(withNotes, trx);
    return written;
  }

  /** Returns the ids of existing users by email. */
  async #idsOf(
    find: Statement,
    users: readonly ImportedUser[],
    trx: Transaction,
  ): Promise<ReadonlyMap<string, string>> {
    const emails = users.map(({ record }) => record.email);
    const rows = await this.#database.query<{ id: string; email: string }>(find, [emails], trx);
    return new Map(rows.map(({ id, email }) => [email, id]));
  }
}

/** An import that may not give roles adds no user who exists to a company. */
function withoutMemberships(user: ImportedUser): ImportedUser {
  if (user.record.memberships.length === 0) return user;
  return {
    ...user,
    record: { ...user.record, memberships: [] },
    notes: [...user.notes, MEMBERSHIPS_LEFT_OUT],
  };
}

const NONE_KNOWN: ReadonlyMap<string, string> = new Map();
