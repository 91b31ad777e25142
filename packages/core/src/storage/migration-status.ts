import { isNewer } from './ledger-fit.js';
import type { MigrationFile } from './migration-file.js';
import type { LedgerEntry } from './migration-ledger.js';

type MigrationState = 'applied' | 'pending' | 'changed' | 'missing' | 'newer';

/**
 * A migration and its status: `changed` if its file is not the one that was applied, `missing` without a file, `newer`
 * without a file if a newer version of the program has applied it.
 */
export interface MigrationStatus {
  version: string;
  name: string;
  state: MigrationState;
  /** True if the version of the program before it runs on its result; null if it does not say, which counts as false. */
  compatible: boolean | null;
  appliedAt: Date | null;
}

/** Returns every file and every ledger row, by version. */
export function migrationStatuses(
  files: readonly MigrationFile[],
  ledger: readonly LedgerEntry[],
): MigrationStatus[] {
  const versions = new Set([...files, ...ledger].map(({ version }) => version));
  return [...versions].sort().map((version) => {
    const file = files.find((each) => each.version === version);
    const entry = ledger.find((each) => each.version === version);
    const { name, compatible } = file ?? entry ?? { name: '', compatible: null };
    const state = file ? stateOf(file, entry) : isNewer({ version }, files) ? 'newer' : 'missing';
    return { version, name, state, compatible, appliedAt: entry?.appliedAt ?? null };
  });
}

function stateOf(file: MigrationFile, entry: LedgerEntry | undefined): MigrationState {
  if (!entry) return 'pending';
  return entry.checksum === file.checksum ? 'applied' : 'changed';
}
