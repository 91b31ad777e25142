import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertMayCreate, writeSecretFile } from './secret-file.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-secret-'));
});

afterAll(() => rm(folder, { recursive: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('a file with a secret', () => {
  it('a secret file can be read only by its owner', async () => {
    const path = join(folder, 'new.pem');
    await assertMayCreate(path);
    await writeSecretFile(path, 'secret', { replace: false });
    expect(await modeOf(path)).toBe(0o600);
  });

  it('an existing file is replaced only on request', async () => {
    const path = join(folder, 'kept.pem');
    await writeFile(path, 'old');
    const refusal = { exitCode: 1, message: `${path} exists already.` };
    await expect(assertMayCreate(path)).rejects.toMatchObject(refusal);
    await expect(writeSecretFile(path, 'new', { replace: false })).rejects.toMatchObject(refusal);
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  it('a new file does not inherit the permissions of the replaced one', async () => {
    const path = join(folder, 'open.pem');
    await writeFile(path, 'old');
    await chmod(path, 0o644);
    await writeSecretFile(path, 'new', { replace: true });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await modeOf(path)).toBe(0o600);
  });

  it('a file that cannot be written is reported with the reason, and nothing is left behind', async () => {
    await expect(
      writeSecretFile(join(folder, 'none', 'a.pem'), 'x', { replace: false }),
    ).rejects.toMatchObject({
      message: `${join(folder, 'none', 'a.pem')} cannot be written (ENOENT).`,
    });
    await expect(writeSecretFile(folder, 'x', { replace: true })).rejects.toMatchObject({ exitCode: 1 });
    expect(await readdir(tmpdir())).not.toContain(`${folder}.${process.pid}`);
  });
});
