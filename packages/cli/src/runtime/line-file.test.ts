import { execFileSync } from 'node:child_process';
import { mkdtemp, lstat, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LineFile } from './line-file.js';

let folder: string;
beforeEach(async () => {
  const created = await mkdtemp(path.join(os.tmpdir(), 'latchkey-lines-'));
  folder = created;
  onTestFinished(() => rm(created, { recursive: true }));
});
const named = (name: string): string => path.join(folder, name);

describe('a file that is written line by line', () => {
  it('appears when it is complete, for its owner alone', async () => {
    const file = new LineFile(named('users.jsonl'));
    await file.add(['a']);
    await file.add(['b', 'c']);
    expect(await readdir(folder)).toEqual(['users.jsonl.unfinished']);
    await file.finish();
    await file.discard();
    expect(await readFile(named('users.jsonl'), 'utf8')).toBe('a\nb\nc\n');
    expect((await lstat(named('users.jsonl'))).mode & 0o777).toBe(0o600);
    expect(file.lines).toBe(3);
  });

  it('is empty if no line was added, and replaces an older one', async () => {
    await writeFile(named('users.jsonl'), 'of yesterday\n');
    const file = new LineFile(named('users.jsonl'));
    await file.add([]);
    await file.finish();
    expect(await readFile(named('users.jsonl'), 'utf8')).toBe('');
  });

  it('a link stays, and the file behind it is written', async () => {
    await writeFile(named('behind.jsonl'), 'of yesterday\n');
    await symlink('behind.jsonl', named('link.jsonl'));
    const file = new LineFile(named('link.jsonl'));
    await file.add(['today']);
    await file.finish();
    expect((await lstat(named('link.jsonl'))).isSymbolicLink()).toBe(true);
    expect(await readFile(named('behind.jsonl'), 'utf8')).toBe('today\n');
  });

  it('a folder or a pipe is rejected before anything is written', async () => {
    execFileSync('mkfifo', [named('pipe')]);
    for (const target of [folder, named('pipe')]) {
      const file = new LineFile(target);
      await expect(file.add(['a'])).rejects.toThrow(`${target} is not a file.`);
      await file.discard();
    }
    expect(await readdir(folder)).toEqual(['pipe']);
    expect((await lstat(named('pipe'))).isFIFO()).toBe(true);
  });

  it('nothing is left of one that cannot get its name', async () => {
    const file = new LineFile(named('users.jsonl'));
    await file.add(['a secret']);
    // A folder of that name was made meanwhile.
    execFileSync('mkdir', ['-p', named('users.jsonl/inside')]);
    await expect(file.finish()).rejects.toThrow();
    await file.discard();
    expect(await readdir(folder)).toEqual(['users.jsonl']);
  });
});
