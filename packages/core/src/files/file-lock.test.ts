import { spawnSync } from 'node:child_process';
import { lstat, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.js';

let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-lock-'));
  lock = join(folder, 'work.lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the id of a process that has ended. */
const deadProcess = (): number => spawnSync('true').pid;

describe('a lock', () => {
  it('allows one holder at a time and is removed afterwards, also after a failure', async () => {
    await withFileLock(lock, () =>
      expect(withFileLock(lock, () => Promise.resolve())).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`Process ${process.pid} on ${hostname()}`) as string,
      }),
    );
    await expect(withFileLock(lock, () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect(await withFileLock(lock, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a killed process is taken over by exactly one of many', async () => {
    await symlink(`${hostname()}:${deadProcess()}:abandoned`, lock);
    let working = 0;
    const runs = Array.from({ length: 20 }, () =>
      withFileLock(lock, async () => {
        working += 1;
        await sleep(30);
        expect(working).toBe(1);
        working -= 1;
      }),
    );
    const outcomes = await Promise.allSettled(runs);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over even if a process was killed while taking it over', async () => {
    await symlink(`${hostname()}:${deadProcess()}:abandoned`, lock);
    await symlink(`${hostname()}:${deadProcess()}:also`, `${lock}.abandoned`);
    expect(await withFileLock(lock, () => Promise.resolve('done'))).toBe('done');
    expect(await readdir(folder)).toEqual([]);
  });

  it('of another machine is respected', async () => {
    await symlink(`elsewhere:${deadProcess()}:x`, lock);
    await expect(withFileLock(lock, () => Promise.resolve())).rejects.toThrow(/on elsewhere .* remove /);
    expect((await lstat(lock)).isSymbolicLink()).toBe(true);
  });

  it('is never a file of another kind', async () => {
    await writeFile(lock, 'mine');
    await expect(withFileLock(lock, () => Promise.resolve())).rejects.toThrow('is not a lock file');
  });
});
