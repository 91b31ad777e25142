import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readSettings } from '@latchkey/core';
import { KeySet } from '@latchkey/core/keys';
import { runCli } from '../support/cli-process.js';
import { KeyFolder } from '../support/key-folder.js';
import { programFile } from '../support/programs.js';

const STEPS = ['publish', 'promote', 'retire'] as const;
type Step = (typeof STEPS)[number];

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Runs a program that is ended right before the n-th change it makes to files. */
function endedAt(change: number, by: NodeJS.Signals, program: readonly string[]): Promise<Ending> {
  const child = spawn(process.execPath, ['--import', programFile('end-at-change'), ...program], {
    env: { PATH: process.env.PATH, END_AT: String(change), END_BY: by },
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** A folder in which this step is the next one. */
async function folderBefore(step: Step): Promise<KeyFolder> {
  const folder = await KeyFolder.make();
  if (step !== 'publish') await folder.rotated('publish');
  if (step === 'retire') await folder.rotated('promote', '--force', '--yes');
  return folder;
}

/** The keys that a service started now would have, the signing one first. */
async function serviceKeys(folder: KeyFolder): Promise<string[]> {
  const { JWT_VERIFICATION_KEYS_PEM_FILE: file = '', ...others } = folder.settings;
  const { tokens } = readSettings({
    ...others,
    ...(existsSync(file) && { JWT_VERIFICATION_KEYS_PEM_FILE: file }),
  });
  const keys = await KeySet.fromPem(
    tokens.signingKeyPem?.reveal() ?? '',
    tokens.verificationKeysPem?.reveal(),
  );
  return keys.toJwks().keys.map(({ kid }) => kid);
}

/** The keys of a service after the step, as far as they were known before it. */
function after(step: Step, [first = '', second = '']: readonly string[]): (string | undefined)[] {
  if (step === 'publish') return [first, undefined];
  return step === 'promote' ? [second, first] : [first];
}

async function expectWhole(step: Step, folder: KeyFolder, before: readonly string[]): Promise<boolean> {
  const now = await serviceKeys(folder);
  const done = after(step, before).map((kid, index) => kid ?? now[index]);
  expect([before, done], 'not done, or done').toContainEqual(now);
  for (const name of await readdir(folder.path)) {
    if (name.includes('.lock')) continue;
    expect((await stat(folder.file(name))).mode & 0o077, name).toBe(0);
  }
  return now.join() !== before.join();
}

/** The same command again: it takes the step, or finds it taken. Nothing is left of the run that was killed. */
async function expectFixed(
  step: Step,
  folder: KeyFolder,
  before: readonly string[],
  wasDone: boolean,
): Promise<void> {
  const force = step === 'publish' ? [] : ['--force', '--yes'];
  expect((await folder.rotate(step, ...force)).code).toBe(wasDone ? 1 : 0);
  expect(await expectWhole(step, folder, before)).toBe(true);
  const { keys, next } = await folder.rotated('status');
  const roles = { publish: ['signing', 'next'], promote: ['signing', 'old'], retire: ['signing'] };
  expect(keys.map(({ role }) => role)).toEqual(roles[step]);
  expect(next.step).toBe(step === 'retire' ? 'publish' : 'restart');
  expect((await readdir(folder.path)).sort()).toEqual([
    'rotation.json',
    'signing-key.pem',
    'verification-keys.pem',
  ]);
}

describe('a key rotation that is killed', () => {
  it.each(STEPS)(
    'a key rotation that is killed at any point of %s has done the step or not begun it, and the next run fixes the rest',
    async (step) => {
      const outcomes: boolean[] = [];
      const start = await folderBefore(step);
      const before = await serviceKeys(start);
      for (let change = 1; ; change++) {
        const folder = await start.copy();
        const ending = await endedAt(change, 'SIGKILL', [programFile('rotation-step'), folder.path, step]);
        if (ending.signal === null) {
          expect(ending.code).toBe(0);
          break;
        }
        const wasDone = await expectWhole(step, folder, before);
        await expectFixed(step, folder, before, wasDone);
        outcomes.push(wasDone);
      }
      // Files of three changes each, and the lock: killed before the step was done, and after it.
      expect(outcomes).toHaveLength((step === 'promote' ? 3 : 2) * 3 + 2);
      expect(new Set(outcomes)).toEqual(new Set([false, true]));
    },
  );

  it('a rotation that is killed while it promotes keeps every private key, also when the signing key was in one file only', async () => {
    const start = await folderBefore('promote');
    const signing = await readFile(start.file('signing-key.pem'), 'utf8');
    const accepted = await readFile(start.file('verification-keys.pem'), 'utf8');
    await writeFile(start.file('verification-keys.pem'), accepted.replace(signing, ''), { mode: 0o600 });
    const before = await serviceKeys(start);
    let kills = 0;
    for (; ; kills++) {
      const folder = await start.copy();
      const ending = await endedAt(kills + 1, 'SIGKILL', [
        programFile('rotation-step'),
        folder.path,
        'promote',
      ]);
      const names = ['signing-key.pem', 'verification-keys.pem'];
      const files = await Promise.all(names.map((name) => readFile(folder.file(name), 'utf8')));
      expect(files.join('')).toContain(signing);
      if (ending.signal === null) break;
      await expectFixed('promote', folder, before, await expectWhole('promote', folder, before));
    }
    expect(kills).toBe(4 * 3 + 2);
  });

  it('a rotation that is interrupted by Ctrl-C at the command line is fixed by the next run', async () => {
    const folder = await folderBefore('publish');
    const before = await serviceKeys(folder);
    const args = ['keys', 'rotate', 'publish', '--dir', folder.path];
    const { code } = await endedAt(4, 'SIGINT', [programFile('latchkey'), ...args]);
    expect(code).toBe(130);
    await expectFixed('publish', folder, before, await expectWhole('publish', folder, before));
  });
});

it('of two simultaneous rotations one takes the step', async () => {
  const folder = await KeyFolder.make();
  const args = ['keys', 'rotate', 'publish', '--dir', folder.path];
  const runs = await Promise.all([runCli(args), runCli(args)]);
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(await serviceKeys(folder)).toHaveLength(2);
});
