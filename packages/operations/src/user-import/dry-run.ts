import { createHash } from 'node:crypto';
import type { Database } from '@latchkey/core/internal/storage/database';
import type { Statement } from '@latchkey/core/internal/storage/statement';
import type { FactorImporter } from './factor-importer.js';
import type { SourceEntry } from './formats/source-entry.js';
import type { ImportedUser } from './import-batch-writer.js';
import { rejected, RESERVED_EMAIL, type ImportReport } from './import-check.js';
import type { ImportConnection } from './import-identities.js';
import type { CheckedImportOptions } from './import-options.js';
import { prepareBatch, type HashWrapper } from './import-preparation.js';
import { FIND_BY_EMAIL, RESERVED } from './import-queries.js';
import { MEMBERSHIPS_LEFT_OUT } from './import-rights.js';
import type { ImportCounts } from './import-run-repository.js';

/**
 * Finds out what an import would do, without writing. To notice a second entry for one address it keeps a part of the
 * digest of each: about 40 bytes for each entry.
 */
export class DryRun {
  readonly #options: CheckedImportOptions;
  readonly #deps;
  readonly #seen = new Set<number>();
  readonly #counts = { created: 0, updated: 0, skipped: 0, rejected: 0 };
  #position = 0;

  constructor(
    options: CheckedImportOptions,
    deps: {
      readonly database: Database;
      readonly factorImporter: FactorImporter;
      readonly passwords: HashWrapper;
      readonly importConnections: readonly ImportConnection[];
    },
  ) {
    this.#options = options;
    this.#deps = deps;
  }

  get counts(): ImportCounts {
    return this.#counts;
  }

  /** The last entry that was checked. */
  get position(): number {
    return this.#position;
  }

  /** Checks further entries. @returns what would be rejected or left out. */
  async add(entries: readonly SourceEntry[]): Promise<ImportReport[]> {
    const { factorImporter, importConnections: connections } = this.#deps;
    const { storesSecrets } = factorImporter;
    const options = { ...this.#options, wrapWeak: false, storesSecrets, connections };
    const { position, users, rejections } = await prepareBatch(entries, options, this.#deps.passwords);
    const emails = users.map(({ record }) => record.email);
    const taken = await this.#emails(FIND_BY_EMAIL, emails);
    const reserved = await this.#emails(RESERVED, emails);
    const decided = users.flatMap((user) => this.#decide(user, taken, reserved));
    const reports = [...rejections, ...decided].sort((a, b) => a.position - b.position);
    this.#counts.rejected += reports.filter(({ outcome }) => outcome === 'rejected').length;
    this.#position = position;
    return reports;
  }

  /** Counts a user. @returns the report about them, if there is one. */
  #decide(
    { position, record: { email, memberships }, notes }: ImportedUser,
    taken: ReadonlySet<string>,
    reserved: ReadonlySet<string>,
  ): ImportReport[] {
    const exists = this.#isSeen(email) || taken.has(email);
    if (!exists && reserved.has(email)) return [rejected(position, RESERVED_EMAIL)];
    if (exists && this.#options.onConflict === 'fail') return [rejected(position, 'email: a user has it')];
    if (exists && this.#options.onConflict === 'skip') {
      this.#counts.skipped += 1;
      return [];
    }
    this.#counts[exists ? 'updated' : 'created'] += 1;
    const isLimited = exists && memberships.length > 0 && !this.#options.allowRoles;
    const reasons = isLimited ? [...notes, MEMBERSHIPS_LEFT_OUT] : notes;
    return reasons.length === 0 ? [] : [{ position, outcome: 'incomplete', reasons }];
  }

  /** Reports whether an entry before had this address, and keeps it. */
  #isSeen(email: string): boolean {
    const key = createHash('sha256').update(email).digest().readUIntBE(0, 6);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  async #emails(find: Statement, emails: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#deps.database.query<{ email: string }>(find, [emails]);
    return new Set(rows.map(({ email }) => email));
  }
}
