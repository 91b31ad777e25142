import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ImportRequest, ImportReport, ImportResult } from '@latchkey/operations';
import { operate } from './operations.js';
import { FACTOR_KEY, type TestService } from './service.js';

const OPERATOR = { kind: 'operator', name: 'alice' } as const;

/** A folder for one test. */
export async function folderForThisTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes a file for one test: texts are lines as they are, anything else is written as JSON. */
export async function fileOf(entries: readonly unknown[]): Promise<string> {
  const path = join(await folderForThisTest(), 'users.jsonl');
  const lines = entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

/** Imports a file, or entries, and returns the result with all reports. */
export async function importInto(
  { auth }: Pick<TestService, 'auth'>,
  source: string | readonly unknown[],
  options: Omit<ImportRequest, 'file'> & { signal?: AbortSignal } = {},
): Promise<ImportResult & { reports: ImportReport[] }> {
  const file = typeof source === 'string' ? source : await fileOf(source);
  const { signal, ...rest } = options;
  const reports: ImportReport[] = [];
  const result = await operate(auth, ({ userImports }) =>
    userImports.importFile(
      OPERATOR,
      { file, encryptionKeys: [Buffer.from(FACTOR_KEY, 'base64')], ...rest },
      { onReports: (slice) => void reports.push(...slice), signal },
    ),
  );
  return { ...result, reports };
}

/** Exports every user, with all secrets. */
export async function exportFrom({ auth }: Pick<TestService, 'auth'>): Promise<string[]> {
  const options = { withHashes: true, encryptionKeys: [Buffer.from(FACTOR_KEY, 'base64')] };
  const slices: string[] = [];
  await operate(auth, async ({ userExports }) => {
    for await (const lines of userExports.lines(OPERATOR, options)) slices.push(...lines);
  });
  return slices;
}
