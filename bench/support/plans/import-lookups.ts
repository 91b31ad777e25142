import { randomBytes } from 'node:crypto';
import { ValueCipher } from '../../../packages/core/src/encryption/value-cipher.js';
import { newId } from '../../../packages/core/src/kernel/id.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { EXPORT_USERS } from '../../../packages/operations/src/user-export/export-queries.js';
import { FactorImporter } from '../../../packages/operations/src/user-import/factor-importer.js';
import {
  ImportBatchWriter,
  type ImportedUser,
} from '../../../packages/operations/src/user-import/import-batch-writer.js';
import { importedUser } from '../../../packages/operations/src/user-import/import-preparation.js';
import { importRecord } from '../../../packages/operations/src/user-import/import-record.js';
import { ImportRunRepository } from '../../../packages/operations/src/user-import/import-run-repository.js';
import { rolledBack, type Lookup } from './lookup.js';

const COUNTS = { created: 1, updated: 0, skipped: 0, rejected: 1 };

export const importLookups = (database: Database): Lookup[] => [
  ...batchLookups(database),
  ...runLookups(database),
  {
    name: 'slice of an export, with hashes',
    run: ({ userId }) => database.query(EXPORT_USERS, [userId, 50, true]),
  },
];

function batchLookups(database: Database): Lookup[] {
  const cipher = new ValueCipher([randomBytes(32)]);
  const writer = new ImportBatchWriter(database, new FactorImporter(database, cipher));
  return (['skip', 'update'] as const).map((onConflict) => ({
    name: `batch of an import, ${onConflict}`,
    run: ({ email, companyId, businessUnitId }) =>
      rolledBack(database, async (trx) => {
        const emails = [email, `${newId()}@example.com`];
        const users = emails.map((each, index) => sampleUser(index + 1, each, { companyId, businessUnitId }));
        await writer.write(users, { onConflict, allowRoles: true }, trx);
      }),
  }));
}

function runLookups(database: Database): Lookup[] {
  const runs = new ImportRunRepository(database);
  return [
    {
      name: 'run of an import',
      run: async () => {
        const run = await runs.begin({ digest: randomBytes(32), format: 'jsonl', actor: 'cli:bench' });
        await database.transaction(async (trx) => {
          await runs.lock(run.id, run.position, trx);
          await runs.addReports(run.id, [{ position: 1, outcome: 'rejected', reasons: ['email'] }], trx);
          await runs.advance(run.id, 2, COUNTS, trx);
        });
        await runs.reports(run.id).next();
        await runs.finish(run.id);
      },
    },
  ];
}

/** Returns a user with everything that a batch can write. */
function sampleUser(
  position: number,
  email: string,
  { companyId, businessUnitId }: { companyId: string; businessUnitId: string },
): ImportedUser {
  const record = importRecord.parse({
    email,
    memberships: [
      {
        companyId,
        isPrimaryFinanceAdmin: true,
        moduleGrants: ['billing'],
        permissionGrants: ['invoices:read'],
        delegation: { canManageUsers: true },
        businessUnits: [{ businessUnitId, financeRole: 'APPROVER', isPrimaryApprover: true }],
      },
    ],
    totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
    recoveryCodes: [{ digest: randomBytes(32).toString('base64url') }],
    identities: [{ provider: 'plain', subject: 'of an import' }],
    passkeys: [
      {
        credentialId: newId(),
        publicKey: 'AwQF',
        deviceType: 'multiDevice',
        isBackedUp: true,
      },
    ],
  });
  return importedUser({ position, record, notes: [] });
}
