import type { AuditEvent } from '@latchkey/core/internal/audit/audit-event';
import type { AuditRepository } from '@latchkey/core/internal/audit/audit-repository';
import type { TrustedActor } from '@latchkey/core/internal/kernel/actor';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import type { ClientInfo } from '@latchkey/core/internal/kernel/client-info';
import type { Database } from '@latchkey/core/internal/storage/database';
import type { FactorImporter } from './factor-importer.js';
import type { SourceEntry } from './formats/source-entry.js';
import {
  ImportBatchWriter,
  ImportConflictError,
  ReservedMeanwhileError,
  type BatchResult,
} from './import-batch-writer.js';
import type { ImportConnection } from './import-identities.js';
import type { CheckedImportOptions } from './import-options.js';
import { prepareBatch, type HashWrapper, type PreparedBatch } from './import-preparation.js';
import type { ImportCounts, ImportRun, ImportRunRepository } from './import-run-repository.js';
import type { WrittenMemberships } from './membership-importer.js';

export interface RunningImportDeps {
  readonly database: Database;
  readonly audit: AuditRepository;
  readonly importRuns: ImportRunRepository;
  readonly factorImporter: FactorImporter;
  readonly passwords: HashWrapper;
  /** The services by which users sign in. */
  readonly importConnections: readonly ImportConnection[];
}

/** An import while it runs: its position and its counts are those of the database. */
export class RunningImport {
  readonly #cause;
  readonly #deps: RunningImportDeps;
  readonly #writer: ImportBatchWriter;
  #run: ImportRun;
  #preparedTo = 0;

  constructor(
    run: ImportRun,
    cause: {
      readonly actor: TrustedActor;
      readonly client: ClientInfo;
      readonly options: CheckedImportOptions;
    },
    deps: RunningImportDeps,
  ) {
    this.#run = run;
    this.#cause = cause;
    this.#deps = deps;
    this.#writer = new ImportBatchWriter(deps.database, deps.factorImporter);
  }

  /** The last entry that was written. */
  get position(): number {
    return this.#run.position;
  }

  /** The last entry that was prepared. */
  get preparedTo(): number {
    return Math.max(this.#preparedTo, this.#run.position);
  }

  get counts(): ImportCounts {
    return this.#run;
  }

  /** Checks the next entries. */
  async prepare(entries: readonly SourceEntry[]): Promise<PreparedBatch> {
    const { allowRoles, wrapWeak } = this.#cause.options;
    const { factorImporter, importConnections: connections, passwords } = this.#deps;
    const { storesSecrets } = factorImporter;
    const batch = await prepareBatch(
      entries,
      { allowRoles, wrapWeak, storesSecrets, connections },
      passwords,
    );
    this.#preparedTo = batch.position;
    return batch;
  }

  /** Writes a batch with its reports, its audit row and the new position, all or nothing. */
  async write(batch: PreparedBatch): Promise<void> {
    const counts = await this.#writeOnce(batch).catch((error: unknown) => {
      if (error instanceof ReservedMeanwhileError) return this.#writeOnce(batch);
      throw error instanceof ImportConflictError ? existingUser(error.position, this.#run.position) : error;
    });
    this.#run = { id: this.#run.id, position: batch.position, ...sum(this.#run, counts) };
  }

  #writeOnce(batch: PreparedBatch): Promise<ImportCounts> {
    const { database, importRuns } = this.#deps;
    return database.transaction(async (trx) => {
      if (!(await importRuns.lock(this.#run.id, this.#run.position, trx))) throw continuedElsewhere();
      const written = await this.#writer.write(batch.users, this.#cause.options, trx);
      const reports = [...batch.rejections, ...written.reports];
      const { created, updated, skipped } = written;
      const counts = {
        created,
        updated,
        skipped,
        rejected: reports.filter(({ outcome }) => outcome === 'rejected').length,
      };
      await importRuns.addReports(this.#run.id, reports, trx);
      await importRuns.advance(this.#run.id, batch.position, counts, trx);
      await this.#deps.audit.insert(
        {
          event: 'users_imported',
          outcome: 'success',
          actor: this.#cause.actor,
          client: this.#cause.client,
          details: this.#detailsOf(batch, written),
        },
        trx,
      );
      const cause = { ...this.#cause, importId: this.#run.id };
      await this.#deps.audit.insertImported(membershipEvents(written.memberships, cause), trx);
      return counts;
    });
  }

  #detailsOf(batch: PreparedBatch, { created, updated }: BatchResult): Record<string, unknown> {
    const { format, allowRoles } = this.#cause.options;
    return { importId: this.#run.id, format, allowRoles, upTo: batch.position, created, updated };
  }
}

const sum = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  skipped: one.skipped + other.skipped,
  rejected: one.rejected + other.rejected,
});

const existingUser = (position: number, written: number): AuthError =>
  AuthError.conflict(
    `The user of entry ${position} exists. Entries up to ${written} were imported, later ones were not. ` +
      'Use the conflict option skip or update.',
    'email_taken',
  );

const continuedElsewhere = (): AuthError =>
  AuthError.conflict('Another process continues this import. Wait until it has ended.');

/** Returns an event for each membership that an import has written. */
function membershipEvents(
  { companies, businessUnits }: WrittenMemberships,
  cause: Pick<AuditEvent, 'actor' | 'client'> & { importId: string },
): AuditEvent[] {
  const { actor, client, importId } = cause;
  const shared = { outcome: 'success', actor, client } as const;
  return [
    ...companies.map(({ rows: { userId, companyId, imported }, isPrimary }): AuditEvent => {
      const { role, isActive, approvalLimit, financeRole, moduleGrants, permissionGrants } = imported;
      const rights = { role, isActive, approvalLimit, financeRole, moduleGrants, permissionGrants };
      const { delegation, moduleRules } = imported;
      const details = { importId, ...rights, delegation, moduleRules, isPrimaryFinanceAdmin: isPrimary };
      return { ...shared, event: 'membership_created', subjectUserId: userId, companyId, details };
    }),
    ...businessUnits.map(({ row, isPrimary }): AuditEvent => {
      const { business_unit_id: businessUnitId, is_active: isActive, finance_role: financeRole } = row;
      const { approval_limit: approvalLimit, user_id: subjectUserId, company_id: companyId } = row;
      const state = { businessUnitId, isActive, financeRole, approvalLimit, isPrimaryApprover: isPrimary };
      const details = { importId, ...state };
      return { ...shared, event: 'business_unit_membership_changed', subjectUserId, companyId, details };
    }),
  ];
}
