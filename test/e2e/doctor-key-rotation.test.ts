import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCliHere } from '../support/cli-process.js';
import { KeyFolder } from '../support/key-folder.js';
import { createTestDatabase } from '../support/test-database.js';

const SIGNING = 'signing-key.pem';
const VERIFICATION = 'verification-keys.pem';
const DAY = 86_400;

/** Returns the findings of `doctor --strict` for a service with the files of a folder, except those on this machine's load. */
async function findings(folder: KeyFolder, databaseUrl: string): Promise<string[]> {
  const { JWT_VERIFICATION_KEYS_PEM_FILE: file = '', ...others } = folder.settings;
  const env = {
    ...others,
    ...(existsSync(file) && { JWT_VERIFICATION_KEYS_PEM_FILE: file }),
    DATABASE_URL: databaseUrl,
  };
  const { stdout } = await runCliHere(['doctor', '--strict', '--quiet'], { env });
  return stdout
    .trim()
    .split('\n')
    .filter((id) => id !== 'machine.hashing');
}

describe('the strict doctor', () => {
  it('doctor --strict finds nothing new at any step of a key rotation, and nothing about the keys', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const folder = await KeyFolder.make();
    const before = await findings(folder, database.url);
    expect(before.filter((id) => id.startsWith('keys.'))).toEqual([]);
    const steps: [wait: number, step: string, ...args: string[]][] = [
      [0, 'publish'],
      [0, 'restarted'],
      [301, 'promote'],
      [0, 'restarted'],
      [30 * DAY, 'retire', '--yes'],
      [0, 'publish'],
    ];
    for (const [wait, step, ...args] of steps) {
      if (wait > 0) await folder.wait(wait);
      await folder.rotated(step, ...args);
      expect(await findings(folder, database.url), step).toEqual(before);
    }
  });
});

describe('promoting by force', () => {
  /** A published next key, and a verification file from which the signing key was taken. */
  async function withoutSigningKeyInBoth(): Promise<{ folder: KeyFolder; old: string; next: string }> {
    const folder = await KeyFolder.make();
    const { keys } = await folder.rotated('publish');
    await folder.rotated('restarted');
    const [old = '', next = ''] = keys.map(({ kid }) => kid);
    const signing = await readFile(folder.file(SIGNING), 'utf8');
    const all = await readFile(folder.file(VERIFICATION), 'utf8');
    await writeFile(folder.file(VERIFICATION), all.replace(signing, ''));
    expect(await readFile(folder.file(VERIFICATION), 'utf8')).not.toContain(signing);
    return { folder, old, next };
  }

  it('promote --force keeps the old key even if it was removed from the verification keys', async () => {
    const { folder, old, next } = await withoutSigningKeyInBoth();
    const signing = await readFile(folder.file(SIGNING), 'utf8');
    const { keys } = await folder.rotated('promote', '--force', '--yes');
    expect(keys.map(({ kid, role }) => [kid, role])).toEqual([
      [next, 'signing'],
      [old, 'old'],
    ]);
    expect(await readFile(folder.file(VERIFICATION), 'utf8')).toContain(signing);
  });
});
